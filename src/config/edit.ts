import { isDeepStrictEqual } from "node:util";
import { systemClock } from "../base/clock.ts";
import { openReplacement, type ReplacementFile } from "./replacement-file.ts";
import { fileError, isTable, parseToml, readIfThere, type TomlTable, tomlText } from "./toml.ts";

export interface Entry {
  /** The table's full name, such as `tui.views`. */
  readonly table: string;
  readonly key: string;
  /** `undefined` removes the entry. */
  readonly value: string | undefined;
}

/**
 * Writes one entry and leaves every other line as the person wrote it, comments included. The result is parsed before
 * it replaces the file. If the file has a form that this function does not understand, the file is not changed, and the
 * error says what to write by hand. If two processes edit the file at once, one waits for the other.
 */
export async function editEntry(path: string, entry: Entry, clock = systemClock): Promise<void> {
  const replacement = await openReplacement(path, clock);
  try {
    await editInto(replacement, path, entry);
  } finally {
    replacement.drop();
  }
}

async function editInto(replacement: ReplacementFile, path: string, entry: Entry): Promise<void> {
  const text = readIfThere(path) ?? "";
  const edited = withEntry(text, entry);
  const wanted = withValue(await parseToml(text, path), entry);
  const isRight = isDeepStrictEqual(plainTable(await parsedOr(edited, path)), plainTable(wanted));
  if (!isRight) {
    const line = entry.value === undefined ? "" : `: ${lineOf(entry)} below [${entry.table}]`;
    throw fileError(
      path,
      `cannot be changed by svc as it is written`,
      undefined,
      `do it there${line}`,
    );
  }
  if (edited !== text) replacement.put(edited);
}

async function parsedOr(text: string, path: string): Promise<TomlTable | undefined> {
  try {
    return await parseToml(text, path);
  } catch {
    return undefined;
  }
}

function withEntry(text: string, entry: Entry): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const header = lines.findIndex((line) => tableOf(line) === entry.table);
  if (header === -1) {
    if (entry.value === undefined) return text;
    const gap = lines.length === 0 ? [] : [""];
    return `${[...lines, ...gap, `[${entry.table}]`, lineOf(entry)].join("\n")}\n`;
  }
  const next = lines.findIndex((line, at) => at > header && line.trimStart().startsWith("["));
  const end = next === -1 ? lines.length : next;
  const at = lines.findIndex((line, place) => {
    return place > header && place < end && keyOf(line) === entry.key;
  });
  if (at !== -1) lines.splice(at, 1, ...(entry.value === undefined ? [] : [lineOf(entry)]));
  else if (entry.value !== undefined) {
    // Insert after the table's last line, before the blank lines that separate it from the next table.
    const last = lines.findLastIndex((line, place) => place < end && line.trim() !== "");
    lines.splice(last + 1, 0, lineOf(entry));
  }
  return `${lines.join("\n")}\n`;
}

function tableOf(line: string): string | undefined {
  return /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/.exec(line)?.[1];
}

function keyOf(line: string): string | undefined {
  const [, bare, quoted, literal] =
    /^\s*(?:([\w-]+)|("(?:[^"\\]|\\.)*")|'([^']*)')\s*=/.exec(line) ?? [];
  if (quoted === undefined) return bare ?? literal;
  try {
    const key: unknown = JSON.parse(quoted);
    return typeof key === "string" ? key : undefined;
  } catch {
    return undefined;
  }
}

function lineOf({ key, value = "" }: Entry): string {
  const name = /^[\w-]+$/.test(key) ? key : tomlText(key);
  return `${name} = ${tomlText(value)}`;
}

function withValue(table: TomlTable, { table: name, key, value }: Entry): TomlTable {
  const [first = "", ...rest] = name.split(".");
  const inner = table[first];
  const known = isTable(inner) ? inner : {};
  if (rest.length > 0)
    return { ...table, [first]: withValue(known, { table: rest.join("."), key, value }) };
  const { [key]: _gone, ...others } = known;
  return { ...table, [first]: value === undefined ? others : { ...others, [key]: value } };
}

/** Converts parsed TOML to plain objects without empty tables, so that two files can be compared. */
export function plainTable(value: unknown): unknown {
  if (!isTable(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, plainTable(inner)] as const);
  return Object.fromEntries(
    entries.filter(([, inner]) => !isTable(inner) || Object.keys(inner).length > 0),
  );
}
