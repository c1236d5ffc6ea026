import type { CutAnswer } from "./cut-note.ts";
import { elementEnds, endOfValue, isArray, jsonMembers, PARSED_BYTES } from "./json-scan.ts";

/** What a JSON answer says about what was left out: the members of `CutAnswer`, and two facts about the rows. */
export interface Outline extends CutAnswer {
  /** The number of rows in its first list. */
  readonly rows: number | undefined;
  /**
   * Whether an issue was cut because it alone is larger than the limit. This can be the issue of the answer, or the
   * first issue of a list.
   */
  readonly hasCutIssue: boolean;
}

const LIST_MEMBERS: ReadonlySet<string> = new Set(["issues", "results"]);

/** Reads JSON of up to `parsed` bytes as a whole, and of longer JSON only the members that are needed. */
export function outlineOf(json: Buffer, parsed = PARSED_BYTES): Outline {
  const members: Record<string, unknown> = {};
  let rows: number | undefined;
  let hasCutIssue = false;
  for (const { name, count, value } of (json.length <= parsed && parsedParts(json)) ||
    scannedParts(json)) {
    if (count !== undefined) {
      rows ??= count;
      if (LIST_MEMBERS.has(name) && count > 0) hasCutIssue ||= isCut(value());
    } else if (name === "issue") hasCutIssue ||= isCut(value());
    else if (NOTED_MEMBERS.has(name)) members[name] = value();
  }
  return { ...members, rows, hasCutIssue };
}

/** A member of the answer. If it is a list, `count` is the number of its elements and `value` returns the first. */
interface Part {
  readonly name: string;
  readonly count: number | undefined;
  readonly value: () => unknown;
}

/** Returns `undefined` for text that is not JSON. */
function parsedParts(json: Buffer): readonly Part[] | undefined {
  let whole: object;
  try {
    whole = JSON.parse(json.toString("utf8")) as object;
  } catch {
    return undefined;
  }
  return Object.entries(whole).map(([name, value]: [string, unknown]) =>
    Array.isArray(value)
      ? { name, count: value.length, value: (): unknown => value[0] }
      : { name, count: undefined, value: () => value },
  );
}

function* scannedParts(json: Buffer): Generator<Part, void, void> {
  for (const { name, start } of jsonMembers(json)) {
    const isList = isArray(json, start);
    const place = isList ? start + 1 : start;
    yield {
      name,
      count: isList ? elementEnds(json, start)?.length : undefined,
      value: () => JSON.parse(json.toString("utf8", place, endOfValue(json, place))) as unknown,
    };
  }
}

const NOTED_MEMBERS: ReadonlySet<string> = new Set([
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
