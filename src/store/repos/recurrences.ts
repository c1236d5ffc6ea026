import type { Connection } from "../connection.ts";
import { issuesWithProject, parsed } from "../rows/rows.ts";
import { rowsWith, statement } from "../rows/statement.ts";
import type { Selected } from "../schema.ts";
import type { Recurrences } from "../types/schedules.ts";
import { issueStatement } from "./statements.ts";

const recurrenceOf = (row: Selected<"recurrence">) => parsed("recurrence", row);

export function recurrences(connection: Connection): Recurrences {
  return {
    find: async (uid) => await byUid.one(connection, { uid }),
    list: async (project_uid) => await ofProject.all(connection, { project_uid }),
    lastKey: async ({ uid, next_occurrence_key: next }) =>
      (await lastKey.one(connection, { uid, next: next ?? AFTER_ALL }))?.occurrence_key ??
      undefined,
    occurrence: async (uid, key) => await occurrence.one(connection, { uid, key }),
  };
}

const byUid = rowsWith("recurrence", ["uid"]).map(recurrenceOf);

const ofProject = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("recurrence")
    .selectAll()
    .where("project_uid", "=", p.project_uid)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc"),
).map(recurrenceOf);

/** Sorts after every day. */
const AFTER_ALL = "~";

const lastKey = statement((db, p: { uid: string; next: string }) =>
  db
    .selectFrom("issue")
    .select("occurrence_key")
    .where("recurrence_uid", "=", p.uid)
    .where((is) => is.or([is("deleted_at", "is", null), is("occurrence_key", "<", p.next)]))
    .orderBy("occurrence_key", "desc")
    .limit(1),
);

const occurrence = issueStatement((db, p: { uid: string; key: string }) =>
  issuesWithProject(db)
    .where("i.recurrence_uid", "=", p.uid)
    .where("i.occurrence_key", "=", p.key)
    .orderBy("i.id")
    .limit(1),
);
