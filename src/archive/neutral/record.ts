import { type Instant, parseInstant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { broken } from "../files/refuse.ts";
import { brokenLine, type Line } from "../lines.ts";
import type { AccountRow, Outcome } from "./account.ts";
import type { ImportItem } from "./item.ts";
import type { Mapping } from "./mapping.ts";

/**
 * How the issues of another tracker are read. `prefix` begins the metadata keys of what svc has no place for, and is
 * the source under which the daemon recognises the issues in a later import.
 */
export interface SourceReader {
  readonly prefix: string;
  /** What becomes of each field of `SourceIssue.fields`; a field without a rule goes to metadata `<prefix>.<field>`. */
  readonly rules: Readonly<Record<string, FieldRule>>;
  /** Fields that hold times; the account lists them as dates. */
  readonly dates: ReadonlySet<string>;
  /** The source writes false and 0 for fields that were never set. */
  readonly zeroIsUnset?: true;
  readonly mapping: Mapping;
  /**
   * Reads everything and throws `validation` at the first fault. `path` is absolute, or - for standard input.
   * `mapping` includes the rules of the user's mapping file.
   */
  readonly read: (path: string, mapping: Mapping) => Promise<SourceData>;
}

/** What the rules make of the fields of one issue. */
export interface MappedIssue {
  /** Begins the metadata keys of what svc has no place for. */
  readonly prefix: string;
  title: string | undefined;
  /** Known before the rules run. */
  readonly status: "open" | "closed";
  /** Parts of the body by position: 0 is the full title, 1 the body itself, then the sections in order. */
  readonly body: Map<number, string>;
  readonly labels: Set<string>;
  readonly metadata: Record<string, JsonValue>;
  author: string | undefined;
  owner: string | undefined;
  priority: number | undefined;
  closedAt: Instant | undefined;
  closedReason: ImportItem["closed_reason"];
}

/** Puts the value of a field where it belongs and says where that is. `name` is the name of the field in the source. */
export type FieldRule = (
  value: JsonValue,
  mapped: MappedIssue,
  issue: SourceIssue,
  name: string,
) => Outcome;

/** What a source has, checked as far as mapping it to issues of svc cannot fail. */
export interface SourceData {
  /** Under what the daemon recognises the issues, if not under the prefix of the reader: ids may repeat between sources. */
  readonly source?: string;
  readonly byId: ReadonlyMap<string, SourceIssue>;
  readonly records: number;
  /** Earlier copies of issues. */
  readonly superseded: number;
  /** Number of records that are not issues, by their kind. */
  readonly other: Readonly<Record<string, number>>;
  /** The files that were read, if a source has several, and what became of their lines. */
  readonly files?: readonly AccountRow[];
}

/** One issue of another tracker. All instants are in svc's form. */
export interface SourceIssue {
  readonly id: string;
  /** The words of the source; the mapping says what they mean. */
  readonly status: string;
  readonly type?: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** `undefined` if the source does not tell its links. */
  readonly links: readonly SourceLink[] | undefined;
  /** `undefined` if the source does not tell its comments. */
  readonly comments: readonly SourceComment[] | undefined;
  readonly labels: readonly string[];
  /**
   * Every field of the source by its name there, for the rules and the account. Those that are named above are here
   * too, with a rule such as `see("links")`.
   */
  readonly fields: JsonObject;
  /** Values that svc needs, the source lacks and the reader filled in: from what, by name. */
  readonly filled?: Readonly<Record<string, string>> | undefined;
}

/** A link as the issue `from` states it. */
export interface SourceLink {
  readonly from: string;
  readonly to: string;
  /** The word of the source; the mapping says what it means. */
  readonly kind: string;
  readonly created_at?: Instant;
  readonly created_by?: string;
  /** What else the source says about it, which the metadata keeps. */
  readonly more?: JsonObject;
}

export interface SourceComment {
  /** Unique within the issue, and the same in each export. */
  readonly id: string;
  /** Empty if the source does not say. */
  readonly author: string;
  readonly text: string;
  readonly createdAt: Instant | undefined;
}

/** A record that is not an issue; the account counts them by this word. */
export interface OtherRecord {
  readonly other: string;
}

/** Shorter than the 512 characters of an external id, to leave room for a comment's id at its end. */
export const MAX_ID = 256;
export const MAX_COMMENT_ID = 128;

/** The instant that Go writes for "no time". */
const ZERO_TIME = "0001-01-01T00:00:00.000Z";

/** When several records have the same id, the one that was updated last counts; among equals, the last one. */
export async function collectIssues(
  records: AsyncIterable<SourceIssue | OtherRecord> | Iterable<SourceIssue | OtherRecord>,
): Promise<SourceData> {
  const byId = new Map<string, SourceIssue>();
  const other: Record<string, number> = {};
  let count = 0;
  let superseded = 0;
  for await (const record of records) {
    count += 1;
    if ("other" in record) {
      other[record.other] = (other[record.other] ?? 0) + 1;
      continue;
    }
    const earlier = byId.get(record.id);
    if (earlier !== undefined) superseded += 1;
    if (earlier === undefined || earlier.updatedAt <= record.updatedAt) byId.set(record.id, record);
  }
  return { byId, records: count, superseded, other };
}

/** `undefined` if absent, empty or Go's zero time; null if it is not an instant. */
export function optionalInstant(value: JsonValue | undefined): Instant | undefined | null {
  if (value === undefined || value === null || value === "") return undefined;
  const instant = typeof value === "string" ? parseInstant(value) : undefined;
  if (instant === undefined) return null;
  return instant === ZERO_TIME ? undefined : instant;
}

/** The JSON object on a line. */
export function parseObject(line: Line): JsonObject {
  if (line.text.startsWith("[")) {
    throw broken(
      { line: line.number },
      "not a JSON object",
      "Taskwarrior and GitHub print lists: use --source-format taskwarrior or github",
    );
  }
  let value: JsonValue;
  try {
    value = parseJson(line.text);
  } catch (cause) {
    throw brokenLine(line.number, "not JSON", cause);
  }
  if (!isPlainObject(value)) throw brokenLine(line.number, "not a JSON object");
  return value;
}
