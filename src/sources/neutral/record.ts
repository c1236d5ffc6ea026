import { type Instant, parseInstant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import type { SvcError } from "../../contract/errors.ts";
import { invalidLineError, type Line } from "../files/lines.ts";
import { isMergeMark, unfinishedMerge } from "../files/merge-marks.ts";
import { brokenFileError, Faults } from "../files/refuse.ts";
import type { ImportAccountRow, Outcome } from "./account.ts";
import type { ImportItem } from "./item.ts";
import type { Mapping } from "./mapping.ts";

/**
 * A reader for the issues of another tracker. `prefix` begins the metadata keys of fields that have no counterpart in
 * svc. It is also the default source name, by which the daemon recognizes the issues in a later import.
 */
export interface SourceReader {
  readonly prefix: string;
  /**
   * The rule for each field of `SourceIssue.fields`; a field without a rule goes to the metadata key
   * `<prefix>.<field>`.
   */
  readonly rules: Readonly<Record<string, FieldRule>>;
  /** Fields that hold times. The import's report lists them in its section for dates. */
  readonly dates: ReadonlySet<string>;
  /** Set if the source writes false and 0 for fields that were never set. */
  readonly zeroIsUnset?: true;
  readonly mapping: Mapping;
  /**
   * Reads everything and throws `validation` at the first fault. `path` is absolute, or - for standard input. `mapping`
   * includes the rules of the user's mapping file.
   */
  readonly read: (path: string, mapping: Mapping) => Promise<SourceData>;
}

/** The result that the field rules build for one issue. */
export interface MappedIssue {
  readonly prefix: string;
  title: string | undefined;
  /** The status, which is known before the rules run, because some rules depend on it. */
  readonly status: "open" | "closed";
  /**
   * Parts of the body by position. 0 is the full title, present only if svc must cut the title. 1 is the body itself.
   * Higher numbers are the sections.
   */
  readonly body: Map<number, string>;
  readonly labels: Set<string>;
  readonly metadata: Record<string, JsonValue>;
  author: string | undefined;
  owner: string | undefined;
  priority: number | undefined;
  closedAt: Instant | undefined;
  closedReason: ImportItem["closed_reason"];
  /** Whether the source has open children of the issue. */
  readonly hasOpenChildren: boolean;
  /** Why the issue is parked, in the words of the source; empty if it is not parked. */
  readonly parkedBy: string[];
}

/** Stores the value of a field in `mapped` and returns where it went. `name` is the name of the field in the source. */
export type FieldRule = (
  value: JsonValue,
  mapped: MappedIssue,
  issue: SourceIssue,
  name: string,
) => Outcome;

/** The content of a source. It has been checked, so mapping it to issues of svc cannot fail. */
export interface SourceData {
  /**
   * The source name by which the daemon recognizes the issues in a later import; by default the prefix of the reader.
   * Two sources that use the same ids, such as two repositories, need different names.
   */
  readonly source?: string;
  readonly byId: ReadonlyMap<string, SourceIssue>;
  readonly records: number;
  /** Number of records that were left out because another record with the same id was used. */
  readonly superseded: number;
  /** Number of records that are not issues, by their kind. */
  readonly other: Readonly<Record<string, number>>;
  /** The files that were read, if a source has several, and what happened to their lines. */
  readonly files?: readonly ImportAccountRow[];
}

export interface SourceIssue {
  readonly id: string;
  /**
   * The title as the source spells it; `undefined` if there is none. It shows whether two records with the same id are
   * different issues.
   */
  readonly title: string | undefined;
  /** The status as the source spells it. The mapping gives its meaning in svc. */
  readonly status: string;
  readonly type?: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** `undefined` if the source has no field for links. */
  readonly links: readonly SourceLink[] | undefined;
  /** `undefined` if the source has no field for comments. */
  readonly comments: readonly SourceComment[] | undefined;
  readonly labels: readonly string[];
  /**
   * All fields of the source under their own names. They also include the fields that the members above were read from,
   * so that the import's report counts every field.
   */
  readonly fields: JsonObject;
  /**
   * The required values that the source lacks: maps the name of each value to the field from which the reader filled it
   * in.
   */
  readonly filled?: Readonly<Record<string, string>> | undefined;
}

export interface SourceLink {
  readonly from: string;
  readonly to: string;
  /** The kind of link as the source spells it. The mapping gives its meaning in svc. */
  readonly kind: string;
  readonly created_at?: Instant;
  readonly created_by?: string;
  /** Other data of the source about the link, which is kept in the metadata. */
  readonly more?: JsonObject;
  /** Set if the kind means more than the link of svc can express. The kind is then kept in the metadata too. */
  readonly inexact?: true;
}

export interface SourceComment {
  /**
   * The id by which the source always identifies the comment. `undefined` if the source has none, or only a number.
   * Such numbers change when a comment is removed or when databases are joined.
   */
  readonly id: string | undefined;
  /** The author; empty if the source names none. */
  readonly author: string;
  readonly text: string;
  readonly createdAt: Instant | undefined;
}

/**
 * Returns the id of a comment if the id is lasting: a text that is not just a number. Otherwise returns `undefined`.
 */
export function lastingId(id: JsonValue | undefined): string | undefined {
  if (typeof id !== "string" || /^\d*$/.test(id)) return undefined;
  return id.length <= MAX_COMMENT_ID ? id : undefined;
}

/** A record that is not an issue. `other` is its kind, by which the import's report counts such records. */
export interface OtherRecord {
  readonly other: string;
}

/**
 * The maximum length of an issue's id, in characters. The external id of a comment is the issue's id, a slash and the
 * comment's id. The daemon allows 512 characters for an external id.
 */
export const MAX_ID = 256;
export const MAX_COMMENT_ID = 128;

/** The instant that programs in the language Go write for "no time". */
const ZERO_TIME = "0001-01-01T00:00:00.000Z";

/**
 * Collects the issues by id. Of several records of one issue, the one that was updated last is used. If they were
 * updated at the same time, the last record in the file is used. Refuses different issues with the same id.
 */
export async function collectIssues(
  records: AsyncIterable<SourceIssue | OtherRecord> | Iterable<SourceIssue | OtherRecord>,
): Promise<SourceData> {
  const byId = new Map<string, SourceIssue>();
  const other: Record<string, number> = {};
  let count = 0;
  let superseded = 0;
  const faults = new Faults();
  for await (const record of records) {
    count += 1;
    if ("other" in record) {
      other[record.other] = (other[record.other] ?? 0) + 1;
      continue;
    }
    const earlier = byId.get(record.id);
    if (earlier !== undefined) {
      superseded += 1;
      if (!isSameIssue(earlier, record)) faults.add(sameId(earlier, record));
    }
    if (earlier === undefined || earlier.updatedAt <= record.updatedAt) byId.set(record.id, record);
  }
  faults.throwAny();
  return { byId, records: count, superseded, other };
}

/**
 * Whether two records with the same id are copies of one issue: they have the same title and the same creation time. A
 * creation time that the reader filled in is not compared.
 */
function isSameIssue(one: SourceIssue, other: SourceIssue): boolean {
  const isFilled = [one, other].some(({ filled }) => filled?.["created_at"] !== undefined);
  return one.title === other.title && (isFilled || one.createdAt === other.createdAt);
}

function sameId(one: SourceIssue, other: SourceIssue): SvcError {
  const [first, second] = [one, other].map(
    ({ title = "", createdAt }) => `"${title}" of ${createdAt}`,
  );
  return brokenFileError(
    {},
    `two issues have the id ${one.id}: ${first} and ${second}`,
    "give one of them another id in the other tracker, then export again",
  );
}

/** The instant in a value; `undefined` if it is absent, empty or Go's zero time; null if it is not an instant. */
export function optionalInstant(value: JsonValue | undefined): Instant | undefined | null {
  if (value === undefined || value === null || value === "") return undefined;
  const instant = typeof value === "string" ? parseInstant(value) : undefined;
  if (instant === undefined) return null;
  return instant === ZERO_TIME ? undefined : instant;
}

/** Parses the JSON object on a line. Throws `validation` with the line's number if there is none. */
export function parseObject(line: Line): JsonObject {
  if (line.text.startsWith("[")) {
    throw brokenFileError(
      { line: line.number },
      "not a JSON object",
      "Taskwarrior and GitHub print lists: use --source-format taskwarrior or github",
    );
  }
  let value: JsonValue;
  try {
    value = parseJson(line.text);
  } catch (cause) {
    if (isMergeMark(line.text)) throw unfinishedMerge({ line: line.number }, cause);
    throw invalidLineError(line.number, "not JSON", cause);
  }
  if (!isPlainObject(value)) throw invalidLineError(line.number, "not a JSON object");
  return value;
}
