import { manyLines, oneLine } from "./text.ts";

/** The agent format (facts cli-and-config 1.4). It grows only at the end of a line or of the output. */
export const AGENT_FORMAT = 1;

type Value = string | number | boolean | readonly string[] | null | undefined;
export type Fields = Readonly<Record<string, Value>>;

/** `OK list count=2`. The first word of an output is always OK or ERR. */
export function header(command: string, fields: Fields = {}): string {
  const text = fieldText(fields);
  return text === "" ? `OK ${command}` : `OK ${command} ${text}`;
}

/** `- issue=abc4 title="Fix it"`: one row of a list. */
export function row(fields: Fields): string {
  return `- ${fieldText(fields)}`;
}

/** `Owner: ann`; nothing when there is no value. */
export function line(name: string, value: Value): readonly string[] {
  if (value === undefined || value === null) return [];
  return [`${name}: ${oneLine(isList(value) ? value.join(", ") : String(value))}`];
}

/** Absent values are left out; a list is joined with commas. */
export function fieldText(fields: Fields): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    if (!isList(value)) return [`${name}=${quoted(String(value))}`];
    return value.length === 0 ? [] : [`${name}=${quoted(value.join(","))}`];
  });
  return parts.join(" ");
}

/** Multi-line text in a fence that is longer than any run of backticks inside it. */
export function fenced(text: string): readonly string[] {
  const clean = manyLines(text);
  const longest = Math.max(2, ...(clean.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`, ...clean.replace(/\n+$/, "").split("\n"), fence];
}

/** A header that nothing follows is left out for whoever wants it quiet (1.5). */
export function agentOutput(head: string, rest: readonly string[], quiet: boolean): string {
  return (quiet && rest.length === 0 ? [] : [head, ...rest]).join("\n");
}

/** White space, a quote or a backslash would end the value or hide where it ends. */
const NEEDS_QUOTES = /[\s"\\]/;

function quoted(value: string): string {
  const text = manyLines(value);
  return text === "" || NEEDS_QUOTES.test(text) ? JSON.stringify(text) : text;
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}
