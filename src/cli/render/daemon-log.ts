import { escapeControls } from "../../base/visible.ts";
import { header } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { Mode } from "../output/mode.ts";

/**
 * Formats one line of the daemon's log. A line that is no JSON entry, such as Node's report of a crash, is printed
 * unchanged for people. Programs get an entry with that line as its `text`.
 */
export function logLine(line: string, mode: Mode): string {
  const entry = entryOf(line);
  if (mode === "json") return escapeControls(JSON.stringify(entry ?? { text: line }));
  if (mode === "agent") return header("daemon_log", sortedTexts(entry ?? { text: line }));
  return entry === undefined ? oneLine(line) : humanLine(entry);
}

type Entry = Readonly<Record<string, unknown>>;

function entryOf(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Entry)
      : undefined;
  } catch {
    return undefined;
  }
}

function humanLine({ time, level, event, ...fields }: Entry): string {
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
  return oneLine([time, String(level).toUpperCase(), event, ...rest].join(" "));
}

function sortedTexts(entry: Entry): Readonly<Record<string, string>> {
  const sorted = Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
