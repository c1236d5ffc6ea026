import { sql } from "kysely";
import { type Connection, rowsOf } from "../connection.ts";
import { isOfNoIssue } from "../fold/merge-feeds.ts";
import { allBaselines } from "../repos/all-baselines.ts";
import { putRow, putRows } from "../rows/table-rows.ts";

export async function putReset(
  connection: Connection,
  project_uid: string,
  id: number,
): Promise<void> {
  await rowsOf(
    connection,
    sql`insert into purge_reset (project_uid, after_event_id) values (${project_uid}, ${id})
      on conflict (project_uid) do update set after_event_id = excluded.after_event_id
      where excluded.after_event_id > purge_reset.after_event_id`,
  );
}

/**
 * Rebuilds from the purge records which short ids and project ids are never assigned again, and which event cursors are
 * too old to continue. After a merge of projects, a record may name a short id that an issue now has; such an id is
 * left out. If the rows were renumbered, only the short ids are rebuilt, since the old project and event ids are no
 * longer valid.
 */
export async function restorePurges(connection: Connection, renumbered: boolean): Promise<void> {
  const purges = await rowsOf<Purge>(
    connection,
    sql`select project_uid, purge_reset_after_event_id, spent_ids from purge_log
      union all select project_uid, purge_reset_after_event_id, spent_ids from project_purge_log`,
  );
  for (const { project_uid, purge_reset_after_event_id: reserved, spent_ids } of purges) {
    for (const spent of spent_ids.split(" ").filter((one) => one !== "")) {
      const [project = "", short_id = ""] = spent.split("#");
      await putRow(connection, "spent_id", { project_uid: project, short_id });
    }
    if (renumbered) continue;
    await putReset(connection, project_uid, reserved);
    await rowsOf(
      connection,
      sql`update log_head set last_event_id = ${reserved} where last_event_id < ${reserved}`,
    );
  }
  for (const { project_uid, hub_event_id, payload } of await allBaselines(connection)) {
    if (hub_event_id === undefined) continue;
    const former = payload.former_short_ids.map(({ short_id }) => short_id);
    for (const short_id of [...payload.spent_short_ids, ...former])
      await putRow(connection, "spent_id", { project_uid, short_id });
  }
  await restorePurged(connection);
  await rowsOf(
    connection,
    sql`delete from spent_id where not (${isOfNoIssue(sql`spent_id.project_uid`)})`,
  );
  if (renumbered) return;
  await rowsOf(
    connection,
    sql`insert into spent_project (id) select distinct project_id from project_purge_log where true on conflict do nothing`,
  );
}

/**
 * Records again which issues are purged, here or on a hub. Leaves out issues that are in the database after the
 * restore.
 */
async function restorePurged(connection: Connection): Promise<void> {
  const logs = await rowsOf<{ issue_uids: string }>(
    connection,
    sql`select issue_uid as issue_uids from purge_log union all select issue_uids from project_purge_log`,
  );
  const baselines = await allBaselines(connection);
  const uids = [
    ...logs.flatMap(({ issue_uids }) => issue_uids.split(" ").filter((uid) => uid !== "")),
    ...baselines.flatMap(({ payload }) => payload.purged_uids),
  ];
  await putRows(
    connection,
    "purged_issue",
    [...new Set(uids)].map((issue_uid) => ({ issue_uid })),
  );
  await rowsOf(
    connection,
    sql`delete from purged_issue where issue_uid in (select uid from issue)`,
  );
}

interface Purge {
  readonly project_uid: string;
  readonly purge_reset_after_event_id: number;
  readonly spent_ids: string;
}
