import { type Instant, parseInstant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import {
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_IMPORT_COMMENTS,
  MAX_ISSUE_LABELS,
  MAX_LINKS,
  MAX_PRIORITY,
} from "../../contract/limits.ts";
import { CLOSE_REASONS } from "../../domain/close.ts";
import { checkNewMetadata } from "../../domain/metadata.ts";
import { badIssueValue } from "../../domain/reserved-keys.ts";
import { invalidLineError } from "../files/lines.ts";
import { type ObjectReader, objectReader } from "../files/object-reader.ts";
import { isEmptyValue } from "../neutral/fields.ts";
import type { Mapping } from "../neutral/mapping.ts";
import {
  MAX_COMMENT_ID,
  MAX_ID,
  type SourceComment,
  type SourceIssue,
  type SourceLink,
} from "../neutral/record.ts";
import { meantCommentField, meantField, meantLink, meantLinkField } from "./names.ts";

/**
 * Converts a record of the neutral form to an issue. Throws `validation` that names the line and the field of a fault,
 * and how to correct it. `own` collects the unknown field names that are not typing errors, so that each is checked
 * only once per file.
 */
export function neutralIssue(
  line: number,
  fields: JsonObject,
  mapping: Mapping,
  own: Set<string>,
): SourceIssue {
  const refuse = (why: string): never => {
    throw invalidLineError(line, why);
  };
  checkNames(fields, own, refuse);
  const read = objectReader(line, fields);
  const id = idIn(read, "id", MAX_ID, refuse);
  const title = read.text("title");
  if (title.trim() === "") refuse("title is blank: every issue needs one");
  for (const name of ["body", "author", "owner"]) read.optionalText(name);
  checkValues(fields, refuse);
  const createdAt = timeIn(read, "created_at", refuse) ?? refuse(`created_at is missing: ${TIME}`);
  const updatedAt = timeIn(read, "updated_at", refuse);
  const closedAt = timeIn(read, "closed_at", refuse) ?? createdAt;
  const filled = closedAt > createdAt ? "closed_at" : "created_at";
  return {
    id,
    title,
    status: statusIn(read, mapping, refuse),
    type: read.optionalText("type")?.trim() || undefined,
    createdAt,
    updatedAt: updatedAt ?? (filled === "closed_at" ? closedAt : createdAt),
    filled: updatedAt === undefined ? { updated_at: filled } : undefined,
    links: atMost(MAX_LINKS, "links", linksIn(read, id, mapping, line, refuse), refuse),
    comments: commentsIn(read, line, refuse),
    // Leave room for two labels, because the type and the status may become labels too.
    labels: atMost(MAX_ISSUE_LABELS - 2, "labels", read.texts("labels"), refuse),
    fields,
  };
}

type Refuse = (why: string) => never;

/**
 * Refuses an unknown field name that is probably a typing error. Its value would otherwise silently go to the metadata.
 */
function checkNames(fields: JsonObject, own: Set<string>, refuse: Refuse): void {
  for (const name of Object.keys(fields)) {
    if (own.has(name)) continue;
    const field = meantField(name);
    if (field !== undefined)
      refuse(`${name} is no field: write ${field}, or put it into metadata to keep its name`);
    own.add(name);
  }
}

function checkValues(fields: JsonObject, refuse: Refuse): void {
  const { priority, closed_reason: reason, metadata } = fields;
  if (isSet(priority) && !PRIORITIES.includes(priority))
    refuse(
      `priority ${shortJson(priority)} is no whole number from 0, the highest, to ${MAX_PRIORITY}`,
    );
  if (isSet(reason) && !REASONS.has(reason))
    refuse(
      `closed_reason ${shortJson(reason)} is none of ${CLOSE_REASONS.join(", ")}: write one of them, and other words into metadata`,
    );
  for (const name of PLANNED) {
    const value = fields[name];
    if (!isSet(value) || (typeof value === "string" && parseInstant(value) !== undefined)) continue;
    const why = badIssueValue(name, value);
    if (why !== undefined) refuse(`${name} ${shortJson(value)} ${why}`);
  }
  if (isSet(metadata)) checkMetadata(metadata, fields, refuse);
}

const PRIORITIES: readonly JsonValue[] = Array.from({ length: MAX_PRIORITY + 1 }, (_, at) => at);
const REASONS: ReadonlySet<JsonValue> = new Set(CLOSE_REASONS);
const PLANNED = ["deadline_on", "scheduled_on"];

function checkMetadata(metadata: JsonValue, fields: JsonObject, refuse: Refuse): void {
  if (!isPlainObject(metadata)) return refuse("metadata is not an object");
  const twice = PLANNED.find((name) => name in metadata && isSet(fields[name]));
  if (twice !== undefined) refuse(`${twice} is a field and in metadata: leave one of them out`);
  try {
    checkNewMetadata(metadata);
  } catch (error) {
    throw error instanceof SvcError ? refuse(error.message) : error;
  }
}

function statusIn(read: ObjectReader, { statuses }: Mapping, refuse: Refuse): string {
  const status = read.optionalText("status")?.trim() || "open";
  if (Object.hasOwn(statuses, status)) return status;
  return refuse(
    `status ${shortJson(status)} has no meaning: write open or closed, or say in a mapping file (--map) what it means`,
  );
}

function linksIn(
  read: ObjectReader,
  from: string,
  { links }: Mapping,
  line: number,
  refuse: Refuse,
): readonly SourceLink[] {
  const stated = read.objects("links").map((entry): SourceLink => {
    checkKeys("links", entry, LINK_FIELDS, meantLinkField, refuse);
    const link = objectReader(line, entry, "links");
    const kind = link.text("type").trim();
    if (!Object.hasOwn(links, kind))
      refuse(
        `links: type ${shortJson(kind)} has no meaning: write ${meantLink(kind)}, or say in a mapping file (--map) what it means`,
      );
    const created_at = timeIn(link, "created_at", refuse);
    const created_by = link.optionalText("author")?.trim();
    return {
      from,
      to: idIn(link, "to", MAX_EXTERNAL_ID_CHARACTERS, refuse),
      kind,
      ...(created_at && { created_at }),
      ...(created_by && { created_by }),
    };
  });
  if ((read.optionalText("parent") ?? "") === "") return stated;
  const to = idIn(read, "parent", MAX_EXTERNAL_ID_CHARACTERS, refuse);
  return [{ from, to, kind: "parent" }, ...stated];
}

function commentsIn(read: ObjectReader, line: number, refuse: Refuse): readonly SourceComment[] {
  const comments = read.objects("comments").map((entry): SourceComment => {
    checkKeys("comments", entry, COMMENT_FIELDS, meantCommentField, refuse);
    const comment = objectReader(line, entry, "comments");
    return {
      id: comment.has("id") ? idIn(comment, "id", MAX_COMMENT_ID, refuse) : undefined,
      author: comment.optionalText("author")?.trim() ?? "",
      text: comment.text("body"),
      createdAt: timeIn(comment, "created_at", refuse),
    };
  });
  return atMost(MAX_IMPORT_COMMENTS, "comments", comments, refuse);
}

export const LINK_FIELDS = ["type", "to", "author", "created_at"];
export const COMMENT_FIELDS = ["id", "author", "body", "created_at"];

function checkKeys(
  list: string,
  entry: JsonObject,
  known: readonly string[],
  meant: (name: string) => string | undefined,
  refuse: Refuse,
): void {
  const wrong = Object.keys(entry).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const field = meant(wrong);
  refuse(
    field === undefined
      ? `${list}: ${wrong} is no field; there are ${known.join(", ")}`
      : `${list}: ${wrong} is no field: write ${field}`,
  );
}

function idIn(read: ObjectReader, name: string, max: number, refuse: Refuse): string {
  const id = read.text(name);
  if (id.trim() === "") refuse(`${name} is blank`);
  if (id.length > max) refuse(`${name} is longer than ${max} characters`);
  if (/\p{Cc}/u.test(id)) refuse(`${name} holds control characters`);
  return id;
}

const TIME = "write a time with its zone, as 2026-01-31T09:30:00Z or 2026-01-31T09:30:00+02:00";

function timeIn(read: ObjectReader, name: string, refuse: Refuse): Instant | undefined {
  const text = read.optionalText(name) ?? "";
  if (text === "") return undefined;
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  const hasZone = /(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  const known = parseInstant(`${text.replace(" ", "T")}${text.length === 10 ? "T00:00:00Z" : "Z"}`);
  const why = known !== undefined && !hasZone ? "has no time zone" : "is no time";
  return refuse(`${name} ${shortJson(text)} ${why}: ${TIME}`);
}

function atMost<T>(max: number, name: string, list: readonly T[], refuse: Refuse): readonly T[] {
  return list.length <= max ? list : refuse(`more than ${max} ${name}: svc holds no more of them`);
}

function isSet(value: JsonValue | undefined): value is JsonValue {
  return !isEmptyValue(value);
}

/** The value as text for a message, shortened if it is long. */
function shortJson(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
