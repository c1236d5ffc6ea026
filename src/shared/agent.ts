import { manyLines, oneLine } from "./text.ts";

/**
 * The version of the agent output format (docs/contract/command-line.md#14-output-for-agents). Appending fields does
 * not change it.
 */
export const AGENT_FORMAT = 1;

type Value = string | number | boolean | readonly string[] | null | undefined;
export type Fields = Readonly<Record<string, Value>>;

/** The first line of an output: `OK list count=2`. It always begins with OK or ERR. */
export function header(command: string, fields: Fields = {}): string {
  const text = fieldText(fields);
  return text === "" ? `OK ${command}` : `OK ${command} ${text}`;
}

/** One row of a list: `- issue=abc4 title="Fix it"`. */
export function row(fields: Fields): string {
  return `- ${fieldText(fields)}`;
}

/** One line with a name and a value: `Owner: ann`. An absent value gives no line. */
export function line(name: string, value: Value): readonly string[] {
  if (value === undefined || value === null) return [];
  return [`${name}: ${oneLine(isList(value) ? value.join(", ") : String(value))}`];
}

/** Formats fields as `name=value`: absent values are left out and lists are joined with commas. */
export function fieldText(fields: Fields): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    if (!isList(value)) return [`${name}=${fieldValue(String(value))}`];
    return value.length === 0 ? [] : [`${name}=${fieldValue(value.join(","))}`];
  });
  return parts.join(" ");
}

/** Encloses text in a fence that is longer than any run of backticks in it. */
export function codeFence(text: string): readonly string[] {
  const clean = manyLines(text);
  const longest = Math.max(2, ...(clean.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`, ...clean.replace(/\n+$/, "").split("\n"), fence];
}

/**
 * Joins the lines of an output for agents. With `quiet`, an output without further lines has no header either
 * (docs/contract/command-line.md#15-quiet).
 */
export function agentOutput(head: string, rest: readonly string[], quiet: boolean): string {
  return (quiet && rest.length === 0 ? [] : [head, ...rest]).join("\n");
}

/** A value with one of these characters is quoted, because they end a value or make its end unclear. */
const NEEDS_QUOTES = /[\s"\\]/;

function fieldValue(value: string): string {
  const text = manyLines(value);
  return text === "" || NEEDS_QUOTES.test(text) ? JSON.stringify(text) : text;
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}
