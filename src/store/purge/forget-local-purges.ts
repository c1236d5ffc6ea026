import { sql } from "kysely";
import type { Appending } from "../append.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { existingIssues } from "../load/statements.ts";
import { refoldLinks } from "../refold/refold.ts";
import { allBaselines } from "../repos/all-baselines.ts";
import { unmarkPurged } from "./unmark.ts";

/**
 * Lets issues of the project that were purged on this daemon arrive again, because its hub still has them. Issues that
 * the hub has purged stay purged. The records of all purges stay too. Links to an issue that may arrive again wait for
 * this issue.
 */
export async function forgetLocalPurges(to: Appending, project_uid: string): Promise<void> {
  const named = await unmarkPurged(to, await purgedHere(to.connection, project_uid));
  const there = await existingIssues(to.connection, named);
  await refoldLinks(to, [...there]);
}

/**
 * Returns the issues that are named in purge records of the project, without those that the project's hub lists as
 * purged.
 */
async function purgedHere(connection: Connection, project_uid: string): Promise<readonly string[]> {
  const records = await rowsOf<{ issue_uids: string }>(
    connection,
    sql`select issue_uid as issue_uids from purge_log where project_uid = ${project_uid}
      union all select issue_uids from project_purge_log where project_uid = ${project_uid}`,
  );
  const named = records.flatMap(({ issue_uids }) => issue_uids.split(" "));
  if (named.length === 0) return [];
  const baselines = await allBaselines(connection);
  const ofHub = baselines.filter((event) => event.project_uid === project_uid);
  const gone = new Set(ofHub.flatMap(({ payload }) => payload.purged_uids));
  return [...new Set(named)].filter((uid) => uid !== "" && !gone.has(uid));
}
