import { type RawBuilder, sql } from "kysely";
import { msToInstant } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import type { EventKind } from "../contract/event-kinds.ts";
import {
  aliasAdded,
  aliasRemoved,
  projectCreated,
  projectMetadataUpdated,
  projectRenamed,
} from "../domain/drafts/projects.ts";
import { lastSnapshot } from "./adopt-snapshots.ts";
import { type Appending, append } from "./append.ts";
import { type Connection, rowsOf } from "./connection.ts";
import { addToProject } from "./fold/write-projects.ts";
import { dropEvents } from "./purge/drop-events.ts";
import { resetReaders } from "./purge/purge.ts";
import { projects } from "./repos/projects.ts";
import { isIn, sqlStatement, unindexed } from "./rows/statement.ts";
import type { AdoptedProject } from "./types/adoption.ts";
import type { StoredProject } from "./types/rows.ts";

/*
 * How a project becomes a copy (docs/contract/federation.md#41-handing-over). This takes several writes of a bounded
 * size, and other writes run between them. Until the end nobody may write an event of the project. After each write the
 * tables agree with the log:
 *
 * 1. `writeSnapshots`: the log gets a snapshot of each issue, under the uid that the project has on its hub. As long as
 *    the older events of an issue are there, its snapshot changes nothing.
 * 2. `beginExchange`: the project with that uid is created, with the name, number and folders of the old project. From
 *    then on the name of the old project is its uid.
 * 3. `takeOver`: portion by portion, the older events of an issue are deleted. Then its snapshot creates the issue, so
 *    the issue belongs to the new project.
 * 4. `endExchange`: the old project has no issues left, and is deleted. The same write gives the new project its jobs,
 *    workflows and runs.
 *
 * If the project already has the uid of its hub's project, steps 2 to 4 only delete events.
 */

/** Tables whose rows of the project stay, under its new uid. */
export const KEPT_IN_ADOPTION = [
  "issue",
  "import",
  "label_count",
  "purge_log",
  "spent_id",
] as const;
/** Tables whose rows of the project are deleted, because the events that made these rows are deleted. */
export const CLEARED_IN_ADOPTION = [
  ...(["recurrence", "alias", "purge_reset", "project_clock"] as const),
  // In the same write, `ops/federation/cron-again.ts` writes the rows of these tables again.
  ...(["cron_jobs", "cron_workflows", "cron_runs"] as const),
] as const;
/** Tables whose rows of the project's issues are deleted. */
const CLEARED_OF_ISSUES = ["lease", "issue_commit"] as const;

/** Lets the new project take the place of the old one. Returns the id of the last event that the hub gets. */
export async function beginExchange(
  to: Appending,
  adopted: AdoptedProject,
  nowMs: number,
): Promise<number> {
  const { project, uid, after } = adopted;
  const through = (await lastSnapshot.one(to.connection, { uid, after }))?.id ?? after;
  if (uid !== project.uid) await createProject(to, adopted, nowMs);
  await writeMetadata(to, adopted, nowMs);
  await resetReaders(to, [project.uid, uid]);
  return through;
}

/** Writes the metadata of the project after the snapshots, so that the hub gets it like any other change. */
async function writeMetadata(
  to: Appending,
  { project: { uid: old, metadata, revision }, uid, actor }: AdoptedProject,
  nowMs: number,
): Promise<void> {
  const names = Object.keys(metadata);
  if (names.length === 0) return;
  const diff = Object.fromEntries(names.map((name) => [name, { to: metadata[name] ?? null }]));
  const of = { uid, revision: uid === old ? revision : 1 };
  const act = { actor, now: msToInstant(nowMs) };
  await append(to, projectMetadataUpdated(of, diff, act), nowMs);
}

async function createProject(
  to: Appending,
  { project, uid, actor }: AdoptedProject,
  nowMs: number,
): Promise<void> {
  const { connection } = to;
  const act = { actor, now: msToInstant(nowMs) };
  const aliases = await projects(connection).aliases(project.uid);
  await append(to, projectRenamed(project, project.uid.toLowerCase(), act), nowMs);
  for (const alias of aliases)
    await append(to, aliasRemoved(project.uid, alias, false, act), nowMs);
  await append(to, projectCreated(uid, project.name, act), nowMs);
  for (const alias of aliases) await append(to, aliasAdded(uid, alias, act), nowMs);
  await exchangeNumbers(to, project, uid);
}

/**
 * Exchanges the numbers of the two projects: addresses and the full-text rows of the issues contain the old one's
 * number.
 */
async function exchangeNumbers(to: Appending, project: StoredProject, uid: string): Promise<void> {
  const { connection } = to;
  const [created] = await rowsOf<{ id: number }>(
    connection,
    sql`select id from project where uid = ${uid}`,
  );
  invariant(created !== undefined, "a project is there once its creation is in the log");
  for (const [id, of] of [
    [-1, project.uid],
    [project.id, uid],
    [created.id, project.uid],
  ] as const)
    await rowsOf(connection, sql`update project set id = ${id} where uid = ${of}`);
  to.loaded.clear();
}

/**
 * Deletes the older events of some issues: the issues of the oldest `limit` events. Returns false if no older events of
 * issues are left.
 */
export async function takeOver(
  to: Appending,
  adopted: AdoptedProject,
  limit: number,
): Promise<boolean> {
  const { connection } = to;
  const { project, uid } = adopted;
  const found = await oldest.all(connection, { project_uid: project.uid, ...adopted, limit });
  if (found.length === 0) return false;
  const uids = [...new Set(found.map(({ issue_uid }) => issue_uid))];
  const among = (column: string) => isIn(connection.dialect, sql.ref(column), uids);
  await dropEvents(connection, sql`where ${among("issue_uid")} and ${isOlder(adopted)}`);
  for (const table of CLEARED_OF_ISSUES)
    await rowsOf(connection, sql`delete from ${sql.table(table)} where ${among("issue_uid")}`);
  await spendFormer(connection, uid, among("issue_uid"));
  await rowsOf(
    connection,
    sql`update issue set recurrence_uid = null, recurrence_id = null, occurrence_key = null
      where recurrence_uid is not null and ${among("uid")}`,
  );
  if (uid !== project.uid) await moveIssues(connection, adopted, among);
  to.loaded.clear();
  return true;
}

/** SQL: the event of the old project is older than the snapshots, so the hub does not get it. */
const isOlder = ({ project, after }: Pick<AdoptedProject, "project" | "after">) =>
  sql`feed_uid = ${project.uid} and id <= ${after}`;

const oldest = sqlStatement<
  { readonly project_uid: string; readonly after: number; readonly limit: number },
  { readonly issue_uid: string }
>(
  (p) => sql`select issue_uid from event
    where feed_uid = ${p.project_uid} and id <= ${p.after} and issue_uid is not null
    order by feed_uid, id limit ${p.limit}`,
);

/** Deletes former short ids, so that they lead to no issue any more, and marks them as spent (never assigned again). */
async function spendFormer(
  connection: Connection,
  uid: string,
  which: RawBuilder<boolean>,
): Promise<void> {
  await rowsOf(
    connection,
    sql`insert into spent_id (project_uid, short_id) select ${uid}, short_id from former where ${which}
      on conflict do nothing`,
  );
  await rowsOf(connection, sql`delete from former where ${which}`);
}

/** Moves the issues to the new project, and adjusts the counts of both projects. */
async function moveIssues(
  connection: Connection,
  { project: { uid: old }, uid }: AdoptedProject,
  among: (column: string) => RawBuilder<boolean>,
): Promise<void> {
  const project = unindexed(connection.dialect, "issue.project_uid");
  const live = sql`${among("issue.uid")} and ${project} = ${old} and issue.deleted_at is null`;
  const [sums] = await rowsOf<{ open: number | null; closed: number | null }>(
    connection,
    sql`select sum(case when status = 'open' then 1 else 0 end) as open,
      sum(case when status = 'open' then 0 else 1 end) as closed from issue where ${live}`,
  );
  const [open, closed] = [Number(sums?.open ?? 0), Number(sums?.closed ?? 0)];
  await addToProject.run(connection, { uid: old, open: -open, closed: -closed });
  await addToProject.run(connection, { uid, open, closed });
  for (const [project_uid, sign] of [[old, sql`-`] as const, [uid, sql`+`] as const])
    await rowsOf(
      connection,
      sql`insert into label_count (project_uid, label, count)
        select ${project_uid}, label.label, ${sign}count(*) from issue
          join label on label.issue_uid = issue.uid where ${live} group by label.label
        on conflict (project_uid, label) do update set count = label_count.count + excluded.count`,
    );
  await rowsOf(
    connection,
    sql`delete from import where project_uid = ${old} and ${among("issue_uid")}`,
  );
  await rowsOf(
    connection,
    sql`update issue set project_uid = ${uid} where ${project} = ${old} and ${among("uid")}`,
  );
}

/** Deletes what is left of the old project. Readers of both projects must start again. */
export async function endExchange(to: Appending, adopted: AdoptedProject): Promise<void> {
  const { connection } = to;
  const { project, uid } = adopted;
  const old = project.uid;
  const isNew = uid !== old;
  const kept = isNew
    ? sql``
    : sql`and type not in (${sql.join(OF_PROJECT.map((kind) => sql.lit(kind)))})`;
  await dropEvents(connection, sql`where ${isOlder(adopted)} ${kept}`);
  await spendFormer(connection, uid, sql`project_uid = ${old}`);
  for (const table of CLEARED_IN_ADOPTION)
    if (isNew || table !== "alias")
      await rowsOf(connection, sql`delete from ${sql.table(table)} where project_uid = ${old}`);
  if (isNew) await deleteOld(connection, old, uid);
  to.loaded.clear();
  to.loaded.order = undefined;
  await resetReaders(to, [old, uid]);
}

/** Kinds of events about the project itself. A project that keeps its uid keeps these events. */
const OF_PROJECT = [
  "project.created",
  "project.renamed",
  "project.alias_added",
  "project.alias_removed",
  "project.removed",
  "project.restored",
  "project.metadata_updated",
] as const satisfies readonly EventKind[];

async function deleteOld(connection: Connection, old: string, uid: string): Promise<void> {
  await rowsOf(
    connection,
    sql`insert into spent_id (project_uid, short_id)
      select ${uid}, short_id from spent_id where project_uid = ${old} on conflict do nothing`,
  );
  await rowsOf(
    connection,
    sql`update purge_log set project_uid = ${uid} where project_uid = ${old}`,
  );
  for (const table of ["spent_id", "import", "label_count"])
    await rowsOf(connection, sql`delete from ${sql.table(table)} where project_uid = ${old}`);
  // Delete what was written to the old project during its adoption: the changes of its name and folders.
  await dropEvents(connection, sql`where feed_uid = ${old}`);
  await rowsOf(connection, sql`delete from project where uid = ${old}`);
}
