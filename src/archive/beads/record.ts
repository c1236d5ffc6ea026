import { type Instant, parseInstant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { brokenLine, type Line } from "../lines.ts";
import { objectReader } from "../object-reader.ts";

/** One issue of the file. `fields` has all fields of the line as read; the other members are validated. */
export interface BeadsIssue {
  readonly line: number;
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly type: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly dependencies: readonly BeadsEdge[];
  readonly comments: readonly BeadsComment[];
  readonly labels: readonly string[];
  readonly fields: JsonObject;
}

/** `from` depends on `to`: a child points to its parent, a blocked issue to its blocker. */
export interface BeadsEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly created_at?: string;
  readonly created_by?: string;
}

export interface BeadsComment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Instant | undefined;
}

/** A record that is not an issue; newer exports mark each line with `_type`. */
export interface OtherRecord {
  readonly other: string;
}

/** Shorter than the 512 characters of an external id, to leave room for a comment's id at its end. */
const MAX_ID = 256;
const MAX_COMMENT_ID = 128;

/** The instant that Go writes for "no time". */
export const ZERO_TIME = "0001-01-01T00:00:00.000Z";

/**
 * Reads one line; an invalid one throws `validation` with its number. A missing status or type gets the default of
 * beads.
 */
export function parseRecord(line: Line): BeadsIssue | OtherRecord {
  const fields = parseObject(line);
  const marked = fields["_type"];
  if (typeof marked === "string" && marked !== "issue") return { other: marked };
  const read = objectReader(line.number, fields);
  const id = read.text("id");
  if (id.trim() === "") throw brokenLine(line.number, "id is blank");
  if (id.length > MAX_ID) throw brokenLine(line.number, `id is longer than ${MAX_ID} characters`);
  const createdAt = read.instant("created_at");
  return {
    line: line.number,
    id,
    title: read.optionalText("title") ?? "",
    status: read.optionalText("status")?.trim() || "open",
    type: read.optionalText("issue_type")?.trim() || "task",
    createdAt,
    updatedAt: read.optionalInstant("updated_at") ?? createdAt,
    dependencies: read.objects("dependencies").map((entry) => readEdge(line.number, id, entry)),
    comments: read.objects("comments").map((entry, at) => readComment(line.number, at, entry)),
    labels: read.texts("labels"),
    fields,
  };
}

/** `undefined` if absent, empty or Go's zero time; null if it is not an instant. */
export function optionalInstant(value: JsonValue | undefined): Instant | undefined | null {
  if (value === undefined || value === null || value === "") return undefined;
  const instant = typeof value === "string" ? parseInstant(value) : undefined;
  if (instant === undefined) return null;
  return instant === ZERO_TIME ? undefined : instant;
}

function parseObject(line: Line): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(line.text);
  } catch (cause) {
    throw brokenLine(line.number, "not JSON", cause);
  }
  if (!isPlainObject(value)) throw brokenLine(line.number, "not a JSON object");
  return value;
}

function readEdge(line: number, issue: string, entry: JsonObject): BeadsEdge {
  const read = objectReader(line, entry, "dependencies");
  const to = read.text("depends_on_id");
  if (to === "") throw brokenLine(line, "a dependency without depends_on_id");
  const createdBy = read.optionalText("created_by")?.trim();
  const createdAt = read.optionalInstant("created_at");
  return {
    from: issue,
    to,
    kind: read.optionalText("type")?.trim() || "blocks",
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
    ...(createdBy ? { created_by: createdBy } : {}),
  };
}

function commentId(id: JsonValue | undefined): string | undefined {
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  return String(id).length <= MAX_COMMENT_ID ? String(id) : undefined;
}

function readComment(line: number, at: number, entry: JsonObject): BeadsComment {
  const read = objectReader(line, entry, "comments");
  const id = entry["id"];
  return {
    id: commentId(id) ?? `#${at + 1}`,
    author: read.optionalText("author")?.trim() ?? "",
    text: read.optionalText("text") ?? "",
    createdAt: read.optionalInstant("created_at"),
  };
}
