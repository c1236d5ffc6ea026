import { sql } from "kysely";
import { msToInstant } from "../base/clock.ts";
import type { Snapshot } from "../domain/federation/baseline.ts";
import { compareClocks } from "../domain/order.ts";
import { writeLinksFromOthers } from "./adopt-links.ts";
import { type Appending, nextHead } from "./append.ts";
import { appendSnapshots } from "./append-baseline.ts";
import { type Connection, rowsOf } from "./connection.ts";
import { eventStatement } from "./repos/statements.ts";
import { isIn, sqlStatement, statement, unindexed } from "./rows/statement.ts";
import type { AdoptedProject } from "./types/adoption.ts";
import type { Baseline } from "./types/store.ts";

/** Returns the issues whose snapshots are to be written next, in the order of their uids. */
export async function issuesToSnapshot(
  connection: Connection,
  { project, uid, after }: AdoptedProject,
  limit: number,
): Promise<readonly string[]> {
  const last = await lastSnapshot.one(connection, { uid, after });
  const lastUid = last?.issue_uid ?? "";
  const found = await issuesBehind.all(connection, {
    project_uid: project.uid,
    after: lastUid,
    limit,
  });
  return found.map((issue) => issue.uid);
}

/** Finds the last snapshot that was written so far. */
export const lastSnapshot = sqlStatement<
  { readonly uid: string; readonly after: number },
  { readonly id: number; readonly issue_uid: string }
>(
  (p) => sql`select id, issue_uid from event
    where feed_uid = ${p.uid} and id > ${p.after} and issue_uid is not null
    order by feed_uid desc, id desc limit 1`,
);

const issuesBehind = statement(
  (db, p: { project_uid: string; after: string; limit: number }, dialect) =>
    db
      .selectFrom("issue")
      .select("uid")
      .where(sql<boolean>`${unindexed(dialect, "project_uid")} = ${p.project_uid}`)
      .where("uid", ">", p.after)
      .orderBy("uid")
      .limit(p.limit),
);

/** Writes the next snapshots into the log, as the first step of an adoption (`adopt-project.ts`). */
export async function writeSnapshots(
  to: Appending,
  adopted: AdoptedProject,
  snapshots: readonly Snapshot[],
  nowMs: number,
): Promise<void> {
  const { project, uid } = adopted;
  await appendSnapshots(to, await baselineOf(to, adopted, nowMs), snapshots);
  const written = snapshots.flatMap(({ issue_uid }) => issue_uid ?? []);
  await writeLinksFromOthers(to, adopted, written, nowMs);
  if (uid === project.uid) return;
  await rowsOf(
    to.connection,
    sql`insert into import (project_uid, source, external_id, issue_uid, imported_at)
      select ${uid}, source, external_id, issue_uid, imported_at from import
      where project_uid = ${project.uid} and ${isIn(to.connection.dialect, sql.ref("issue_uid"), written)}`,
  );
}

/**
 * Returns what all events for the hub have in common: above all one clock, which is later than the clocks of all events
 * before them.
 */
async function baselineOf(
  to: Appending,
  { project, uid, actor, after }: AdoptedProject,
  nowMs: number,
): Promise<Baseline> {
  const first = await firstWritten.one(to.connection, { uid, after });
  if (first !== undefined) {
    const { hlc_physical_ms, hlc_counter, created_at, id: horizon } = first;
    return { project_uid: uid, actor, hlc_physical_ms, hlc_counter, created_at, horizon };
  }
  await to.clocks.load(to.connection);
  const own = to.clocks.of(project.uid);
  const isAhead = own !== undefined && compareClocks(own, to.head) > 0;
  const clock = nextHead(isAhead ? { ...to.head, ...own } : to.head, nowMs);
  to.head = { ...clock, last_event_id: to.head.last_event_id };
  const { hlc_physical_ms, hlc_counter, last_event_id: horizon } = clock;
  const created_at = msToInstant(nowMs);
  return { project_uid: uid, actor, hlc_physical_ms, hlc_counter, created_at, horizon };
}

const firstWritten = eventStatement((db, p: { uid: string; after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("feed_uid", "=", p.uid)
    .where("id", ">", p.after)
    .orderBy("feed_uid")
    .orderBy("id")
    .limit(1),
);
