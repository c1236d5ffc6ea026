import type { Instant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { brokenFileError } from "../files/refuse.ts";
import { readTime } from "../files/times.ts";
import type { Mapping } from "../neutral/mapping.ts";
import {
  lastingId,
  MAX_ID,
  type SourceComment,
  type SourceIssue,
  type SourceLink,
} from "../neutral/record.ts";
import { BODY, DATE_FIELDS, NOTES } from "./fields.ts";
import { fieldOf, namesOf, type Role } from "./roles.ts";
import { nameOf, plainWord, textOf, textsOf } from "./values.ts";

export interface IssueFile {
  /** The path relative to the folder that is imported, for error messages. */
  readonly file: string;
  readonly id: string;
  readonly fields: JsonObject;
  readonly body: string;
  readonly notes?: string;
  readonly comments?: readonly SourceComment[] | undefined;
  /** Overrides the status in the front matter. */
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  /** When the file was last written, for issues whose front matter has no time. */
  readonly written: Instant;
}

/**
 * Converts a file to an issue. `name` converts the name by which the file refers to another issue into the id of that
 * issue.
 */
export function issueOf(
  source: IssueFile,
  mapping: Mapping,
  name: (word: string) => string,
): SourceIssue {
  const { file, id } = source;
  if (id.length > MAX_ID) {
    throw brokenFileError(
      { file },
      `its id is longer than ${MAX_ID} characters`,
      "give it a shorter id",
    );
  }
  const fields = withTimes(source.fields);
  const timeOfRole = (role: Role): Instant | undefined => timeOf(fields, role);
  const createdAt =
    timeOfRole("created") ??
    earlierOf(timeOfRole("updated"), timeOfRole("closed")) ??
    source.written;
  const updatedAt = laterOf(createdAt, timeOfRole("updated") ?? timeOfRole("closed") ?? createdAt);
  return {
    id,
    title: titleOf(source),
    status: source.status ?? statusOf(fields, mapping),
    type: source.type ?? textOf(valueOf(fields, "type")),
    createdAt,
    updatedAt,
    links: linksOf(id, fields, mapping, name),
    comments: source.comments ?? commentsOf(fields),
    labels: textsOf(valueOf(fields, "labels")).map((label) => label.replace(/^#/, "")),
    fields: {
      ...fields,
      ...(fieldOf(fields, "title") === undefined && { title: titleOf(source) }),
      [BODY]: source.body,
      ...(source.notes !== undefined && { [NOTES]: source.notes }),
    },
    filled: filledBy(timeOfRole),
  };
}

function valueOf(fields: JsonObject, role: Role): JsonValue | undefined {
  const name = fieldOf(fields, role);
  return name === undefined ? undefined : fields[name];
}

function timeOf(fields: JsonObject, role: Role): Instant | undefined {
  return readTime(valueOf(fields, role));
}

/**
 * Converts the fields that hold times to instants, because the field rules expect instants. A planning date without a
 * time stays a day.
 */
function withTimes(fields: JsonObject): JsonObject {
  const planned = new Set([...namesOf("due"), ...namesOf("scheduled")]);
  const done = new Set(namesOf("done"));
  const entries = Object.entries(fields).map(([name, value]) => {
    const isPlannedDay =
      planned.has(name) && typeof value === "string" && value.trim().length === 10;
    const time =
      (DATE_FIELDS.has(name) || done.has(name)) && !isPlannedDay ? readTime(value) : undefined;
    return [name, time ?? value];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function earlierOf(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function laterOf(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}

/**
 * Returns the status as it is written if the mapping has a rule for this spelling, otherwise as `plainWord` spells it.
 * An issue without a status is `done` if it is marked as done, otherwise `open`.
 */
export function statusOf(fields: JsonObject, mapping: Mapping): string {
  const word = textOf(valueOf(fields, "status"));
  if (word !== undefined) return Object.hasOwn(mapping.statuses, word) ? word : plainWord(word);
  const done = valueOf(fields, "done");
  const isDone =
    done === true || readTime(done) !== undefined || timeOf(fields, "closed") !== undefined;
  return isDone ? "done" : "open";
}

/** The title of a file whose front matter has none: its first heading, or else the name of the file. */
function titleOf({ body, file }: IssueFile): string {
  return (
    /^#\s+(.+?)\s*#*$/m.exec(body)?.[1] ??
    (file.split("/").at(-1) ?? file).replace(/\.(md|markdown)$/i, "")
  );
}

const KINDS = {
  blockedBy: "blocked by",
  blocks: "blocks",
  parent: "parent",
  children: "child",
  related: "related",
  duplicateOf: "duplicate of",
} as const;

/**
 * The links in all fields that name other issues. An entry of such a field may be an object that says the kind of the
 * link.
 */
function linksOf(
  from: string,
  fields: JsonObject,
  mapping: Mapping,
  name: (word: string) => string,
): readonly SourceLink[] {
  return (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((role) =>
    namesOf(role).flatMap((field) =>
      entriesOf(fields[field]).map(({ word, kind }) => {
        const known = kind !== undefined && Object.hasOwn(mapping.links, kind);
        return { from, to: name(word), kind: known ? kind : KINDS[role] };
      }),
    ),
  );
}

function entriesOf(
  value: JsonValue | undefined,
): readonly { readonly word: string; readonly kind?: string }[] {
  const list = Array.isArray(value) ? value : [value ?? null];
  return list.flatMap((entry: JsonValue) => {
    if (!isPlainObject(entry)) return textsOf(entry).map((word) => ({ word }));
    const word = textOf(entry["target"] ?? entry["id"] ?? entry["ref"]);
    const kind = textOf(entry["type"] ?? entry["kind"]);
    if (word === undefined) return [];
    return [kind === undefined ? { word } : { word, kind: plainWord(kind) }];
  });
}

/**
 * Reads the list of comments in the front matter. An entry that is a text becomes a comment without author and time.
 */
function commentsOf(fields: JsonObject): readonly SourceComment[] {
  const value = fields["comments"];
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: JsonValue) => {
    if (!isPlainObject(entry)) {
      const text = textOf(entry);
      return text === undefined ? [] : [{ id: undefined, author: "", text, createdAt: undefined }];
    }
    const text = textOf(entry["text"] ?? entry["body"] ?? entry["comment"]) ?? "";
    const author = nameOf(textOf(entry["author"] ?? entry["by"]) ?? "");
    const createdAt = readTime(
      entry["created_at"] ?? entry["created"] ?? entry["date"] ?? entry["at"],
    );
    return [{ id: lastingId(entry["id"]), author, text, createdAt }];
  });
}

function filledBy(time: (role: Role) => Instant | undefined): Readonly<Record<string, string>> {
  const filled: Record<string, string> = {};
  if (time("created") === undefined) {
    const other = earlierOf(time("updated"), time("closed"));
    filled["created_at"] = other === undefined ? "the time of the file" : "updated or closed";
  }
  if (time("updated") === undefined) filled["updated_at"] = "closed, or created";
  return filled;
}
