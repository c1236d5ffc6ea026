import type { CutAnswer } from "./cut-note.ts";
import { elementEnds, endOfValue, isArray, jsonMembers } from "./json-scan.ts";

/** What the JSON of an answer says about its own cut, without its rows. */
export interface Outline extends CutAnswer {
  /** The number of rows in its first list. */
  readonly rows: number | undefined;
  /** Whether an issue was cut because it alone is larger than the limit: the issue of the answer, or its first one. */
  readonly hasCutIssue: boolean;
}

const LISTS: ReadonlySet<string> = new Set(["issues", "results"]);

export function outlineOf(json: Buffer): Outline {
  const members: Record<string, unknown> = {};
  let rows: number | undefined;
  let hasCutIssue = false;
  for (const { name, start } of jsonMembers(json)) {
    const valueAt = (place: number): unknown =>
      JSON.parse(json.toString("utf8", place, endOfValue(json, place)));
    if (isArray(json, start)) {
      const count = elementEnds(json, start)?.length;
      rows ??= count;
      if (LISTS.has(name) && count !== undefined && count > 0)
        hasCutIssue ||= isCut(valueAt(start + 1));
    } else if (name === "issue") hasCutIssue ||= isCut(valueAt(start));
    else if (SAID.has(name)) members[name] = valueAt(start);
  }
  return { ...members, rows, hasCutIssue };
}

const SAID: ReadonlySet<string> = new Set([
  "truncated",
  "count",
  "next_after",
  "next_after_id",
  "next_before",
  "next_before_uid",
  "counted_until",
] satisfies (keyof CutAnswer)[]);

/** Whether a row is an issue that was cut, or a search result that contains such an issue. */
function isCut(row: unknown): boolean {
  if (typeof row !== "object" || row === null) return false;
  if ("truncated" in row && row.truncated === true) return true;
  return "issue" in row && isCut(row.issue);
}
