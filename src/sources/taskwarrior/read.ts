import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isPlainObject } from "../../base/json.ts";
import { jsonObjects, type ObjectAt } from "../files/json-objects.ts";
import { readSourceText, refuseOther } from "../files/recognise.ts";
import { brokenFileError } from "../files/refuse.ts";
import { readTime } from "../files/times.ts";
import {
  collectIssues,
  type OtherRecord,
  type SourceComment,
  type SourceData,
  type SourceIssue,
  type SourceReader,
} from "../neutral/record.ts";
import { DATE_FIELDS, FIELD_RULES } from "./fields.ts";

/** Reads the output of `task export`: a list of tasks, or one task per line. */
export const TASKWARRIOR: SourceReader = {
  prefix: "taskwarrior",
  rules: FIELD_RULES,
  dates: DATE_FIELDS,
  mapping: {
    statuses: {
      pending: { status: "open" },
      waiting: { status: "open", label: "status:waiting" },
      completed: { status: "closed", reason: "done" },
      deleted: { status: "deleted" },
    },
    types: {},
    links: { depends: "blocked-by" },
  },
  read: async (path) => await readTaskwarrior(await readSourceText("taskwarrior", path)),
};

export async function readTaskwarrior(text: string): Promise<SourceData> {
  return await collectIssues(parseTasks(text));
}

function* parseTasks(text: string): Generator<SourceIssue | OtherRecord> {
  for (const found of jsonObjects(text)) yield readTask(found);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A recurring task is only a template. It is not imported, because the export also has the tasks that were made from
 * it.
 */
const TEMPLATE: OtherRecord = { other: "recurring template" };

function readTask({ line, fields }: ObjectAt): SourceIssue | OtherRecord {
  const { uuid, description, status } = fields;
  if (typeof uuid !== "string" || typeof description !== "string") {
    refuseOther("taskwarrior", { line }, fields);
    throw brokenFileError(
      { line },
      `a task without ${typeof uuid === "string" ? "description" : "uuid"}`,
      EXPORT,
    );
  }
  if (!UUID.test(uuid)) throw brokenFileError({ line }, `${uuid} is no uuid`, EXPORT);
  const id = uuid.toLowerCase();
  if (typeof status !== "string")
    throw brokenFileError({ line }, `task ${id} has no status`, EXPORT);
  if (status === "recurring") return TEMPLATE;
  const times = readTimes(line, id, fields);
  const createdAt = times["entry"] ?? times["modified"] ?? times["end"];
  if (createdAt === undefined)
    throw brokenFileError({ line }, `task ${id} has no entry date`, EXPORT);
  const updatedAt = times["modified"] ?? times["end"] ?? createdAt;
  return {
    id,
    title: description,
    status,
    createdAt,
    updatedAt,
    links: idsOf(line, id, fields["depends"]).map((to) => ({ from: id, to, kind: "depends" })),
    comments: commentsOf(line, id, fields["annotations"]),
    labels: wordsOf(line, id, "tags", fields["tags"]),
    fields: { ...fields, ...times },
    filled: filledBy(times),
  };
}

const EXPORT = "give what `task export` printed, unchanged";

function filledBy(times: Readonly<Record<string, string>>): Record<string, string> {
  const filled: Record<string, string> = {};
  if (times["entry"] === undefined) filled["created_at"] = "modified, or end";
  if (times["modified"] === undefined) filled["updated_at"] = "end, or entry";
  return filled;
}

function readTimes(line: number, id: string, fields: JsonObject): Record<string, string> {
  const times: Record<string, string> = {};
  for (const name of DATE_FIELDS) {
    const value = fields[name];
    if (value === undefined || value === "") continue;
    const time = readTime(value);
    if (time === undefined) {
      throw brokenFileError(
        { line },
        `task ${id}: ${name} is no date such as 20260102T030405Z`,
        EXPORT,
      );
    }
    times[name] = time;
  }
  return times;
}

/** The words in a field. Since Taskwarrior 2.6 they are a list; older versions write a text with commas. */
function wordsOf(
  line: number,
  id: string,
  name: string,
  value: JsonValue | undefined,
): readonly string[] {
  if (value === undefined) return [];
  const words = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(words))
    throw brokenFileError({ line }, `task ${id}: ${name} is no list`, EXPORT);
  return words
    .map((word) => {
      if (typeof word !== "string")
        throw brokenFileError({ line }, `task ${id}: ${name} is no list of texts`, EXPORT);
      return word.trim();
    })
    .filter((word) => word !== "");
}

function idsOf(line: number, id: string, value: JsonValue | undefined): readonly string[] {
  return wordsOf(line, id, "depends", value).map((word) => {
    if (!UUID.test(word))
      throw brokenFileError({ line }, `task ${id} depends on ${word}, which is no uuid`, EXPORT);
    return word.toLowerCase();
  });
}

/** The annotations of a task as comments. They have no id and no author, since Taskwarrior has only one user. */
function commentsOf(
  line: number,
  id: string,
  value: JsonValue | undefined,
): readonly SourceComment[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw brokenFileError({ line }, `task ${id}: annotations is no list`, EXPORT);
  return value.map((entry: JsonValue) => {
    const text = isPlainObject(entry) ? entry["description"] : undefined;
    const createdAt = isPlainObject(entry) ? readTime(entry["entry"]) : undefined;
    if (typeof text !== "string" || createdAt === undefined) {
      throw brokenFileError(
        { line },
        `task ${id}: an annotation without entry and description`,
        EXPORT,
      );
    }
    return { id: undefined, author: "", text, createdAt };
  });
}
