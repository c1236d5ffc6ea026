import { type RawBuilder, sql } from "kysely";
import type { Instant } from "../../base/clock.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { LinkChanges } from "../../domain/evolve/link-changes.ts";
import { touchesOfLinks } from "../../domain/evolve/links.ts";
import { SENT_KINDS } from "../../domain/federation/wire.ts";
import { foldLog } from "../../domain/memory.ts";
import type { LinkEnds } from "../../domain/state.ts";
import type { Appending } from "../append.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { applyChanges } from "../fold/apply-event.ts";
import { judgeWaitingParents } from "../fold/waiting-links.ts";
import { load } from "../load/load.ts";
import { existingIssues } from "../load/statements.ts";
import { refoldRows } from "../refold/refold.ts";
import { allBaselines } from "../repos/all-baselines.ts";
import { eventOf } from "../rows/rows.ts";
import { putRows } from "../rows/table-rows.ts";
import type { Selected } from "../schema.ts";
import { deleteKeys, dropEvents } from "./drop-events.ts";
import type { ColumnCondition } from "./events.ts";
import { deleteBelongings, reserveResetId } from "./purge.ts";
import { listedPurges, recordedPurges } from "./purgers.ts";
import { unmarkPurged } from "./unmark.ts";

/** Tables whose rows are folded and belong to a project, not to an issue. */
const PROJECT_TABLES = ["cron_jobs", "cron_workflows", "cron_runs"] as const;
/** Other tables with rows of the project, which are deleted too. */
const OTHERS = ["label_count", "mirrored_lease", "recurrence"] as const;
const SENT = SENT_KINDS.map((kind) => sql.lit(kind));

/**
 * Deletes the copy of a hub's project: the events that came from the hub, the events that the hub accepted (up to the
 * id `sentUpTo`), and the rows that these events made. The hub sends the events again, or its new baseline contains
 * what they changed. The project, its name and its binding stay. Events that were written here and that the hub does
 * not have stay too, and their rows are folded again. Readers of the project must start again, and the freed text is
 * erased as after a purge (docs/contract/federation.md#74-beginning-anew). Issues that are purged only for this project
 * do not count as purged any more, since the hub may send them again.
 *
 * With `keptAt` the events stay in the log, marked as skipped. This is for a hub whose log is another one, as after a
 * restore: events that this hub does not send again would otherwise be lost. Only the first events of its baselines are
 * deleted, because they determine the order of the fold.
 */
export async function clearReplica(
  to: Appending,
  project_uid: string,
  cleared: Cleared,
): Promise<void> {
  const { connection } = to;
  const among: ColumnCondition = (column) =>
    sql<boolean>`${sql.ref(column)} in (select uid from issue where project_uid = ${project_uid})`;
  const others = await removeCrossingLinks(to, among);
  const gone = await forgetBaselinePurges(connection, project_uid);
  const own = await deleteForeign(to, project_uid, cleared);
  await deleteBelongings(connection, among, { keepsWritten: true });
  for (const table of [...PROJECT_TABLES, ...OTHERS])
    await rowsOf(
      connection,
      sql`delete from ${sql.table(table)} where project_uid = ${project_uid}`,
    );
  await rowsOf(
    connection,
    sql`update project set open_issues = 0, closed_issues = 0 where uid = ${project_uid}`,
  );
  await reserveResetId(to, [project_uid]);
  const named = await existingIssues(connection, await unmarkPurged(to, gone));
  await foldOwn(to, project_uid, own);
  await judgeWaitingParents(to);
  const kept = own.flatMap(({ issue_uid }) => issue_uid ?? []);
  const uids = [...new Set([...others, ...named, ...kept])];
  if (uids.length > 0) await refoldRows(to, uids);
}

/**
 * Removes links between issues of the project and issues of other projects, so that the counts of the other issues are
 * adjusted. Returns these other issues: their links wait from now on.
 */
async function removeCrossingLinks(
  to: Appending,
  among: ColumnCondition,
): Promise<readonly string[]> {
  const { connection, loaded } = to;
  const crossing = (table: string): RawBuilder<unknown> =>
    sql`select from_uid, to_uid, type, ${among("from_uid")} as is_from from ${sql.table(table)}
      where (${among("from_uid")}) <> (${among("to_uid")})`;
  const found = await rowsOf<LinkEnds & { readonly is_from: boolean | number }>(
    connection,
    sql`${crossing("link")} union all ${crossing("waiting_link")}`,
  );
  const others = new Set<string>();
  for (const { from_uid, to_uid, type, is_from } of found) {
    const ends = { from_uid, to_uid, type };
    await load(connection, loaded, touchesOfLinks(from_uid, [ends]));
    const links = new LinkChanges(loaded);
    links.remove(ends);
    await applyChanges(to, links.changes());
    others.add(is_from ? to_uid : from_uid);
  }
  return [...(await existingIssues(connection, [...others]))];
}

/**
 * Deletes the spent short ids of the project, and returns the issues of its baselines that no longer count as purged,
 * because the next baseline lists again what is purged. If the hub was restored, an issue that it had purged may exist
 * there again, under its short id. An issue stays purged if it is purged for another project too: a hub could list any
 * uid.
 */
async function forgetBaselinePurges(
  connection: Connection,
  project_uid: string,
): Promise<readonly string[]> {
  const baselines = await allBaselines(connection);
  const own = baselines.filter((event) => event.project_uid === project_uid);
  const uids = [...new Set(own.flatMap(({ payload }) => payload.purged_uids))];
  const others = [await recordedPurges(connection, uids), await listedPurges(connection, uids)];
  const isOwn = (uid: string): boolean =>
    others.every((projects) => [...(projects.get(uid) ?? [])].every((by) => by === project_uid));
  await rowsOf(connection, sql`delete from spent_id where project_uid = ${project_uid}`);
  return uids.filter(isOwn);
}

interface Cleared {
  readonly sentUpTo: number;
  /** The time of the mark on the events that stay. If absent, these events are deleted instead. */
  readonly keptAt?: Instant;
}

/**
 * Makes events that this database wrote count as not sent, even if the hub has said that it has them. Skipped events
 * stay skipped.
 */
export async function sendAgain(
  { connection, instanceUid }: Appending,
  project_uid: string,
): Promise<void> {
  await rowsOf(
    connection,
    sql`update event set hub_event_id = null where feed_uid = ${project_uid}
      and origin_instance_uid = ${instanceUid} and hub_event_id is not null`,
  );
}

/**
 * Deletes the events that came from the hub or were sent to it, or marks them as skipped. Returns the other events of
 * the project: events that the hub has yet to get, and events of kinds that are not sent, such as `project.created`.
 * The database may have had another identity when it wrote these events.
 */
async function deleteForeign(
  { connection }: Appending,
  project_uid: string,
  { sentUpTo, keptAt }: Cleared,
): Promise<readonly StoredEvent[]> {
  const wasSent = sql`(id <= ${sentUpTo} and skipped_at is null and type in (${sql.join(SENT)}))`;
  const doomed = sql`where feed_uid = ${project_uid} and (hub_event_id is not null or ${wasSent})`;
  if (keptAt === undefined) await dropEvents(connection, doomed);
  else {
    await dropEvents(connection, sql`${doomed} and type = 'project.federation_enabled'`);
    await deleteKeys(connection, doomed);
    await rowsOf(
      connection,
      sql`update event set hub_event_id = null, skipped_at = ${keptAt} ${doomed}`,
    );
  }
  const rows = await rowsOf<Selected<"event">>(
    connection,
    sql`select * from event where feed_uid = ${project_uid} and skipped_at is null order by id`,
  );
  return rows.map(eventOf);
}

/** Writes the rows of the project that belong to no issue, as the remaining events give them. */
async function foldOwn(
  to: Appending,
  project_uid: string,
  own: readonly StoredEvent[],
): Promise<void> {
  const { connection, loaded } = to;
  const state = foldLog(own.filter(({ issue_uid }) => issue_uid === undefined));
  await load(connection, loaded, { projects: [project_uid] });
  const project = state.project(project_uid);
  if (project !== undefined) await applyChanges(to, [{ table: "project", put: project }]);
  for (const table of PROJECT_TABLES) await putRows(connection, table, [...state.rows(table)]);
}
