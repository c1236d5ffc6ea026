import { type Block, markdownBlocks, markdownParts, type Part } from "../../src/base/markdown.ts";
import { type Span, type SpanLine, wrapSpans } from "../spans.ts";
import type { Role } from "../style.ts";

/** Gives an issue that a text names a number, where it is known. */
export type RefNumber = (text: string) => number | undefined;

export interface BodyOptions {
  /** As it was written, without what its marks mean. */
  readonly raw: boolean;
  readonly ref: RefNumber;
}

const RULE_COLUMNS = 40;

/** A text as people write it, in lines that are at most `width` wide. */
export function bodyLines(
  text: string,
  width: number,
  { raw, ref }: BodyOptions,
): readonly SpanLine[] {
  const plain = text.trimEnd().replaceAll(/\r\n?/g, "\n").replaceAll("\t", "    ");
  if (raw) return plain.split("\n").flatMap((line) => wrapped([{ text: line }], width));
  return markdownBlocks(plain).flatMap((block) => blockLines(block, width, ref));
}

/** A line keeps its own indent where it is broken. */
function wrapped(line: SpanLine, width: number, lead = ""): readonly SpanLine[] {
  const indent = /^ */.exec(line[0]?.text ?? "")?.[0] ?? "";
  const hang = `${" ".repeat(lead.length)}${indent}`;
  return wrapSpans(lead === "" ? line : [{ text: lead }, ...line], width, hang);
}

function blockLines(block: Block, width: number, ref: RefNumber): readonly SpanLine[] {
  switch (block.kind) {
    case "blank":
      return [[]];
    case "rule":
      return [[{ text: "-".repeat(Math.min(width, RULE_COLUMNS)), role: "dim" }]];
    case "code":
      return wrapSpans([{ text: `    ${block.text}`, role: "dim" }], width, "    ");
    case "table":
      return wrapped([{ text: block.text }], width);
    case "heading":
      return wrapSpans([{ text: block.source.trim(), role: "bold" }], width);
    case "quote":
      return wrapSpans([{ text: "| ", role: "dim" }, ...inline(block.text, ref)], width, "| ");
    case "item": {
      const mark = /\d/.test(block.mark) ? block.mark : "-";
      return wrapped(inline(block.text, ref), width, ` ${block.indent}${mark} `);
    }
    case "text":
      return wrapped(inline(block.text, ref), width, block.lead);
  }
}

function inline(text: string, ref: RefNumber): readonly Span[] {
  return markdownParts(text).flatMap((part) => spansOf(part, ref));
}

const ROLES: Readonly<Record<Part["kind"], Role | undefined>> = {
  text: undefined,
  code: undefined,
  strong: "bold",
  emphasis: "underline",
  link: "underline",
};

function spansOf({ kind, text, url }: Part, ref: RefNumber): readonly Span[] {
  const role = ROLES[kind];
  if (kind === "text") return withRefs(text, ref);
  if (kind === "code") return [{ text: `\u0060${text}\u0060` }];
  if (url === undefined || url === text) return [{ text, role }];
  // The address is text too: a terminal makes it a link, and a person sees where it leads.
  return [
    { text, role },
    { text: ` (${url})`, role: "dim" },
  ];
}

const REF = /(?<![\w#/.-])(?:\w[\w.-]*)?#[0-9a-z]{4,26}(?![\w#])|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;

/** Issues that the text names stand out, and can be chosen. */
function withRefs(text: string, ref: RefNumber): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(REF)) {
    const number = ref(match[0]);
    if (number === undefined) continue;
    if (match.index > at) spans.push({ text: text.slice(at, match.index) });
    spans.push({ text: match[0], role: "ref", ref: number });
    at = match.index + match[0].length;
  }
  return at === text.length ? spans : [...spans, { text: text.slice(at) }];
}
