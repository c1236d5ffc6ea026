import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isMergeMark, unfinishedMerge } from "../files/merge-marks.ts";
import { brokenFileError } from "../files/refuse.ts";

export interface FrontMatter {
  readonly fields: JsonObject;
  readonly body: string;
}

const FENCE = /^---[ \t]*$/;

/**
 * Reads the front matter of a text. Returns `undefined` if the text does not begin with front matter. Throws an error
 * that names the line if the front matter is damaged.
 */
export function readFrontMatter(text: string, file: string): FrontMatter | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (isMergeMark(lines[0] ?? "")) throw unfinishedMerge({ file, line: 1 });
  if (!FENCE.test(lines[0] ?? "")) return undefined;
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end === -1) {
    throw brokenFileError(
      { file, line: 1 },
      "the front matter does not end",
      "close it by a line --- below its last field",
    );
  }
  return {
    fields: readYaml(lines.slice(1, end).join("\n"), file, 1),
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

/** Parses the fields of a YAML text. `above` is the number of lines that precede it in the file, for errors. */
export function readYaml(text: string, file: string, above = 0): JsonObject {
  // The parser does not look for duplicate names, because it would compare each name with all others. `toJson` finds
  // them.
  const document = parseDocument(text, { uniqueKeys: false });
  // BAD_SCALAR_START is ignored: names like `@ann` are often written without quotes, and the parser reads them
  // correctly.
  const fault = document.errors.find(({ code }) => code !== "BAD_SCALAR_START");
  const mark = text.split("\n").findIndex(isMergeMark);
  if (mark !== -1) throw unfinishedMerge({ file, line: above + mark + 1 });
  if (fault !== undefined) {
    const line = above + (fault.linePos?.[0].line ?? 1);
    const control = CONTROL.exec(text);
    if (control !== null) {
      const at = above + text.slice(0, control.index).split("\n").length;
      throw brokenFileError(
        { file, line: at },
        `not YAML: an invisible ${codeOf(control[0])}`,
        "delete it",
        fault,
      );
    }
    throw brokenFileError(
      { file, line },
      `not YAML: ${firstLine(fault.message)}`,
      FIELD_HINT,
      fault,
    );
  }
  const { contents } = document;
  if (contents === null) return {};
  if (!isMap(contents)) {
    throw brokenFileError(
      { file, line: above + 1 },
      "the front matter is no list of fields",
      FIELD_HINT,
    );
  }
  const budget = { aliases: MAX_ALIASES };
  const refuse: Refuse = (why, { hint = "write the values out", at = 0 } = {}) => {
    const line = above + text.slice(0, at).split("\n").length;
    throw brokenFileError({ file, line }, why, hint);
  };
  return toJson(contents, document, budget, refuse) as JsonObject;
}

/** Control characters that YAML does not allow. Few editors show them. */
const CONTROL = /(?![\t\n\r\u0085])\p{Cc}/u;

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `control character (U+${code})`;
}

const FIELD_HINT =
  "write one field a line, `name: value`; a value with a colon or a # goes in quotes";

/** The maximum number of aliases. An alias repeats a value, so a few of them can make a small text very large. */
const MAX_ALIASES = 100;

/** Throws an error. `at` is a position in the YAML text. */
type Refuse = (why: string, about?: { readonly hint?: string; readonly at?: number }) => never;

/**
 * Converts a YAML node to JSON. A number that JavaScript would write differently (`1.10`, `0012`) stays text, since it
 * may be an id.
 */
function toJson(
  node: unknown,
  document: Document,
  budget: { aliases: number },
  refuse: Refuse,
): JsonValue {
  if (isAlias(node)) {
    budget.aliases -= 1;
    if (budget.aliases < 0) refuse("the front matter repeats values by aliases too often");
    const named: Node | undefined = node.resolve(document);
    if (named === undefined || isMap(named) || isSeq(named)) refuse("an alias for a list or a map");
    return toJson(named, document, budget, refuse);
  }
  if (isSeq(node)) return node.items.map((item) => toJson(item, document, budget, refuse));
  if (isMap(node)) {
    const fields = new Map<string, JsonValue>();
    for (const { key, value } of node.items) {
      if (!isScalar(key)) return refuse("a field whose name is no text");
      const name = key.source ?? String(key.value);
      if (fields.has(name))
        refuse(`the field ${name} is there twice`, {
          hint: "leave one of them out",
          at: key.range?.[0] ?? 0,
        });
      fields.set(name, toJson(value, document, budget, refuse));
    }
    return Object.fromEntries(fields);
  }
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number" && String(value) === source) return value;
  return source ?? null;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? text).replace(/ at line \d+, column \d+:?$/, "");
}
