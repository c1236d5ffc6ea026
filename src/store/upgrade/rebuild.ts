import { sql } from "kysely";
import { slicesById } from "../../base/slices.ts";
import { readyFrom } from "../../domain/readiness.ts";
import type { Connection } from "../connection.ts";
import { rebuildCommits } from "../fold/closing-commits.ts";
import { rebuildCronEvents } from "../fold/cron-events.ts";
import { rebuildImports } from "../fold/import-events.ts";
import { rebuildMentions } from "../fold/mentions.ts";
import { COUNTS, updateHeldBelow } from "../fold/propagate-held.ts";
import { indexed, indexedValue } from "../rows/meta-key.ts";
import { metadataOf } from "../rows/rows.ts";
import { statement } from "../rows/statement.ts";
import { putRow } from "../rows/table-rows.ts";

const SLICE_ISSUES = 500;

/** Recomputes all derived columns and tables from the folded rows, as after a restore. */
export async function rebuildDerived(connection: Connection, timezone: string): Promise<void> {
  await connection.execute("delete from issue_meta", []);
  await eachRow(connection, withMetadata, async (row) => {
    const metadata = metadataOf(row.metadata);
    for (const [key, value] of Object.entries(metadata)) {
      await putRow(connection, "issue_meta", {
        issue_uid: row.uid,
        key: indexed(key),
        value: indexedValue(value),
      });
    }
    const parked = metadata["someday"] === true ? 1 : 0;
    await updateReadiness.run(connection, {
      uid: row.uid,
      parked,
      ready_from: readyFrom({ metadata }, row.series_zone ?? timezone),
    });
  });
  await rebuildMentions(connection);
  await rebuildCommits(connection);
  await rebuildImports(connection);
  await rebuildCronEvents(connection);
  await connection.execute(
    `update issue set recurrence_id = (select r.id from recurrence r where r.uid = issue.recurrence_uid)
     where recurrence_uid is not null`,
    [],
  );
  await recount.run(connection, {});
  await recountProjects.run(connection, {});
  await connection.execute("delete from label_count", []);
  await connection.execute(
    `insert into label_count (project_uid, label, count)
     select i.project_uid, l.label, count(*) from label l join issue i on i.uid = l.issue_uid
     where i.deleted_at is null group by i.project_uid, l.label`,
    [],
  );
  await updateHeldBelow(
    connection,
    (await holders.all(connection, {})).map(({ uid }) => uid),
  );
}

/** Recomputes `ready_from` after the daemon's zone changed: planning dates use it unless they have their own zone. */
export async function recomputeAllReadyFrom(
  connection: Connection,
  timezone: string,
): Promise<void> {
  await eachRow(connection, scheduled, async ({ uid, metadata, series_zone }) => {
    await updateReadyFrom.run(connection, {
      uid,
      ready_from: readyFrom({ metadata: metadataOf(metadata) }, series_zone ?? timezone),
    });
  });
}

interface Row {
  readonly id: number;
  readonly uid: string;
  readonly metadata: string;
  readonly series_zone: string | null;
}

type Rows = { all(connection: Connection, values: { after: number }): Promise<readonly Row[]> };

async function eachRow(
  connection: Connection,
  rows: Rows,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  const read = async (after: number) => await rows.all(connection, { after });
  for await (const slice of slicesById(SLICE_ISSUES, 0, read))
    for (const row of slice) await work(row);
}

const withMetadata = statement((db, p: { after: number }) =>
  db
    .selectFrom("issue")
    .leftJoin("recurrence", "recurrence.uid", "issue.recurrence_uid")
    .select(["issue.id", "issue.uid", "issue.metadata", "recurrence.timezone as series_zone"])
    .where("issue.id", ">", p.after)
    .where("issue.metadata", "<>", sql.lit("{}"))
    .orderBy("issue.id")
    .limit(SLICE_ISSUES),
);

const scheduled = statement((db, p: { after: number }) =>
  db
    .selectFrom("issue")
    .innerJoin("issue_meta", "issue_meta.issue_uid", "issue.uid")
    .leftJoin("recurrence", "recurrence.uid", "issue.recurrence_uid")
    .select(["issue.id", "issue.uid", "issue.metadata", "recurrence.timezone as series_zone"])
    .where("issue.id", ">", p.after)
    .where("issue_meta.key", "=", indexed("scheduled_on"))
    .orderBy("issue.id")
    .limit(SLICE_ISSUES),
);

const updateReadiness = statement(
  (db, p: { uid: string; parked: 0 | 1; ready_from: string | null }) =>
    db
      .updateTable("issue")
      .set({ parked: p.parked, ready_from: p.ready_from })
      .where("uid", "=", p.uid),
);

const updateReadyFrom = statement((db, p: { uid: string; ready_from: string | null }) =>
  db.updateTable("issue").set({ ready_from: p.ready_from }).where("uid", "=", p.uid),
);

const recount = statement((db, _p: Record<never, never>) =>
  db.updateTable("issue").set({ ...COUNTS, held: 0 }),
);

const recountProjects = statement((db, _p: Record<never, never>) => {
  const count = (status: "open" | "closed") =>
    sql<number>`(select count(*) from issue i where i.project_uid = project.uid and i.deleted_at is null and i.status = ${sql.lit(status)})`;
  return db
    .updateTable("project")
    .set({ open_issues: count("open"), closed_issues: count("closed") });
});

const holders = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("issue")
    .select("uid")
    .where(({ or, eb }) => or([eb("open_blockers", ">", 0), eb("parked", "=", 1)])),
);
