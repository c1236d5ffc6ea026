import type { JsonObject } from "../../base/json.ts";
import { invalidLineError, type Line } from "../files/lines.ts";
import { objectReader } from "../files/object-reader.ts";
import { refuseOther } from "../files/recognise.ts";
import { isEmptyValue } from "../neutral/fields.ts";
import {
  lastingId,
  MAX_ID,
  type OtherRecord,
  parseObject,
  type SourceComment,
  type SourceIssue,
  type SourceLink,
} from "../neutral/record.ts";
import { isInexact } from "./mapping.ts";

/**
 * Reads one line of the export. Throws `validation` with the line's number if the line is invalid. A missing status or
 * type gets the value that beads uses by default.
 */
export function parseRecord(line: Line): SourceIssue | OtherRecord {
  const fields = parseObject(line);
  const marked = fields["_type"];
  if (typeof marked === "string" && marked !== "issue") return { other: marked };
  if (fields["id"] === undefined) refuseOther("beads", { line: line.number }, fields);
  const read = objectReader(line.number, fields);
  const id = read.text("id");
  if (id.trim() === "") throw invalidLineError(line.number, "id is blank");
  if (id.length > MAX_ID)
    throw invalidLineError(line.number, `id is longer than ${MAX_ID} characters`);
  const title = read.optionalText("title");
  const createdAt = read.instant("created_at");
  const updatedAt = read.optionalInstant("updated_at");
  return {
    id,
    title,
    status: read.optionalText("status")?.trim() || "open",
    type: read.optionalText("issue_type")?.trim() || "task",
    createdAt,
    updatedAt: updatedAt ?? createdAt,
    filled: updatedAt === undefined ? { updated_at: "created_at" } : undefined,
    links: read.objects("dependencies").map((entry) => readEdge(line.number, id, entry)),
    comments: read.objects("comments").map((entry) => readComment(line.number, entry)),
    labels: read.texts("labels"),
    fields,
  };
}

export function readEdge(line: number, issue: string, entry: JsonObject): SourceLink {
  const read = objectReader(line, entry, "dependencies");
  const to = read.text("depends_on_id");
  if (to === "") throw invalidLineError(line, "a dependency without depends_on_id");
  const createdBy = read.optionalText("created_by")?.trim();
  const createdAt = read.optionalInstant("created_at");
  const kind = read.optionalText("type")?.trim() || "blocks";
  return {
    from: issue,
    to,
    kind,
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
    ...(createdBy ? { created_by: createdBy } : {}),
    ...moreOf(entry),
    ...(isInexact(kind) && { inexact: true as const }),
  };
}

const EDGE_FIELDS: ReadonlySet<string> = new Set([
  "issue_id",
  "depends_on_id",
  "type",
  "created_at",
  "created_by",
]);

/**
 * Returns the fields of a dependency that a link of svc cannot store, without empty values. For empty metadata, beads
 * writes the text `{}`.
 */
function moreOf(entry: JsonObject): { readonly more?: JsonObject } {
  const more = Object.entries(entry).filter(
    ([name, value]) => !EDGE_FIELDS.has(name) && !isEmptyValue(value) && value !== "{}",
  );
  return more.length === 0 ? {} : { more: Object.fromEntries(more) };
}

/**
 * Reads a comment. Older versions of beads give a comment only a number as its id, and change the numbers when
 * databases are joined. So a number is not used as an id.
 */
export function readComment(line: number, entry: JsonObject): SourceComment {
  const read = objectReader(line, entry, "comments");
  return {
    id: lastingId(entry["id"]),
    author: read.optionalText("author")?.trim() ?? "",
    text: read.optionalText("text") ?? "",
    createdAt: read.optionalInstant("created_at"),
  };
}
