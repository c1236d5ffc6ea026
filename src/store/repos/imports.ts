import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { sqlStatement, statement } from "../rows/statement.ts";
import type { ImportSummary, Imports } from "../types/imports.ts";
import { eventStatement } from "./statements.ts";

/** Reads imports by their uid (`batch_uid`) from the rows that `store/fold/import-events.ts` writes. */
export function imports(connection: Connection): Imports {
  return {
    batchesBefore: async (batch_uid, limit) =>
      (await batchesBefore.all(connection, { batch_uid, limit })).map((row) => row.batch_uid),
    placeOf: async (batch_uid) => await placeOf.one(connection, { batch_uid }),
    summary: async (batch_uid) => await summary.one(connection, { batch_uid }),
    issues: async (batch_uid, after, limit) =>
      (await issues.all(connection, { batch_uid, after, limit })).map((row) => row.issue_uid),
    events: async (batch_uid, from, to) => await events.all(connection, { batch_uid, from, to }),
  };
}

/** Finds each import with one index lookup, since an import may have too many events to read them all. */
const batchesBefore = sqlStatement<
  { batch_uid: string; limit: number },
  { readonly batch_uid: string }
>(
  (p) => sql`with recursive batch_of (batch_uid, place) as (
      select max(batch_uid), 1 from import_event where batch_uid < ${p.batch_uid}
      union all
      select (select max(e.batch_uid) from import_event e where e.batch_uid < b.batch_uid), b.place + 1
      from batch_of b where b.batch_uid is not null and b.place < ${p.limit}
    )
    select batch_uid from batch_of where batch_uid is not null order by batch_uid desc`,
);

/**
 * Selects the project and the source of one imported issue. All issues of an import have the same project and source.
 */
const placeOf = statement((db, p: { batch_uid: string }) =>
  db
    .selectFrom("import_event as e")
    .innerJoin("import as i", "i.issue_uid", "e.issue_uid")
    .select(["i.project_uid", "i.source"])
    .where("e.batch_uid", "=", p.batch_uid)
    .limit(1),
);

/**
 * The totals of one import. Counts each issue once: as created, else as deleted, else as updated. An issue also counts
 * as undone if its last undo came after its last redo, unless the import created the issue and it exists again.
 */
const summary = sqlStatement<{ batch_uid: string }, ImportSummary>(
  (p) => sql`select
      min(first_id) as first_event_id, max(last_id) as last_event_id, count(first_id) as issues,
      sum(case when created then 1 else 0 end) as created,
      sum(case when deleted and not created then 1 else 0 end) as deleted,
      sum(case when changed and not created and not deleted then 1 else 0 end) as updated,
      sum(case when undone > redone and (created or deleted or changed) and not (created and exists (
        select 1 from issue where issue.uid = issues.issue_uid and issue.deleted_at is null
      )) then 1 else 0 end) as undone
    from (
      select
        issue_uid,
        min(case when kind in ('undone', 'redone') then null else event_id end) as first_id,
        max(case when kind in ('undone', 'redone') then null else event_id end) as last_id,
        max(case when kind = 'created' then 1 else 0 end) = 1 as created,
        max(case when kind = 'deleted' then 1 else 0 end) = 1 as deleted,
        max(case when kind = 'changed' then 1 else 0 end) = 1 as changed,
        max(case when kind = 'undone' then event_id else 0 end) as undone,
        max(case when kind = 'redone' then event_id else 0 end) as redone
      from import_event where batch_uid = ${p.batch_uid} group by issue_uid
    ) as issues having count(*) > 0`,
);

const LATER = (["undone", "redone"] as const).map((kind) => sql.lit(kind));

const issues = statement((db, p: { batch_uid: string; after: string; limit: number }) =>
  db
    .selectFrom("import_event")
    .select("issue_uid")
    .distinct()
    .where("batch_uid", "=", p.batch_uid)
    .where("issue_uid", ">", p.after)
    .where("kind", "not in", LATER)
    .orderBy("issue_uid")
    .limit(p.limit),
);

const events = eventStatement((db, p: { batch_uid: string; from: string; to: string }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("id", "in", (of) =>
      of
        .selectFrom("import_event")
        .select("event_id")
        .where("batch_uid", "=", p.batch_uid)
        .where("issue_uid", ">=", p.from)
        .where("issue_uid", "<=", p.to)
        .where("kind", "not in", LATER),
    )
    .orderBy("id"),
);
