import { type RawBuilder, sql } from "kysely";
import { type Instant, msToInstant } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { LinkChanges } from "../../domain/evolve/link-changes.ts";
import { touchesOfLinks } from "../../domain/evolve/links.ts";
import type { Change, LabelRow, LinkEnds } from "../../domain/state.ts";
import { eachTable, type Rows } from "../../domain/tables/tables.ts";
import type { Appending } from "../append.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { applyChanges } from "../fold/apply-event.ts";
import { requirePurgeable } from "../fold/lifecycle.ts";
import { judgeWaitingParents } from "../fold/waiting-links.ts";
import { addToProject } from "../fold/write-projects.ts";
import { load } from "../load/load.ts";
import { refoldRows } from "../refold/refold.ts";
import { putRow, putRows } from "../rows/table-rows.ts";
import type { Selected } from "../schema.ts";
import { requestRewrite } from "../text/rewrite.ts";
import { clearWords } from "../text/vocabulary.ts";
import type { StoredIssue, StoredProject } from "../types/rows.ts";
import type { ProjectPurgeLogRow, PurgeBy, PurgeLogRow } from "../types/store.ts";
import { recordPendingErasure } from "./erase.ts";
import { type ColumnCondition, deleteEvents } from "./events.ts";
import { issuesMappedToo } from "./mappings.ts";
import { putReset } from "./rows.ts";

/** The columns by which a purge finds the rows of an issue. */
const ISSUE_COLUMNS = eachTable().flatMap(([table, { belongs, folded }]) => {
  const isWritten = folded !== true && folded.writable === true;
  return "issue" in belongs ? belongs.issue.map((column) => ({ table, column, isWritten })) : [];
});
/** The columns by which a purge finds the rows of a project that belong to no issue. */
const PROJECT_COLUMNS = eachTable().flatMap(([table, { belongs }]) =>
  "project" in belongs && table !== "issue" ? [{ table, column: belongs.project }] : [],
);

/**
 * Purges an issue: deletes its events from the log and its rows from the tables
 * (docs/contract/http-api.md#53-purge-and-reset and docs/contract/http-api.md#61-life-of-an-issue). A purge writes no
 * event. Events of other issues that name the purged issue stay, and the fold ignores the purged issue in them.
 */
export async function purgeIssue(
  to: Appending,
  issue: StoredIssue,
  by: PurgeBy,
  nowMs: number,
): Promise<PurgeLogRow> {
  const { connection } = to;
  const among: ColumnCondition = (column) => sql<boolean>`${sql.ref(column)} = ${issue.uid}`;
  const counts = await countBelongings(connection, among);
  const mappedToo = await issuesMappedToo(connection, issue.uid);
  await detachIssue(to, issue);
  const spent_ids = await spendIds(connection, among);
  await notePurged(connection, among);
  const events = await deleteEvents(connection, among, undefined);
  await deleteBelongings(connection, among);
  if (mappedToo.length > 0) await refoldRows(to, mappedToo);
  const own = { project_id: issue.project_id, project_uid: issue.project_uid };
  const subject = { ...own, project_name: issue.project_name };
  const record = {
    ...(await reserveResetId(to, [issue.project_uid, ...events.feeds])),
    ...envelope(to, by, nowMs),
    ...subject,
    ...counts,
    ...events.deleted,
    spent_ids,
    purged_issue_id: issue.id,
    issue_uid: issue.uid,
    short_id: issue.short_id,
    issue_title: issue.title,
    issue_author: issue.author,
  };
  return await storeRecord(connection, "purge_log", record);
}

export async function purgeProject(
  to: Appending,
  project: StoredProject,
  by: PurgeBy,
  nowMs: number,
): Promise<ProjectPurgeLogRow> {
  invariant(project.deleted_at !== null, "a project is archived before it is purged");
  const { connection } = to;
  const { uid } = project;
  await requirePurgeable(connection, uid);
  const among: ColumnCondition = (column) =>
    sql<boolean>`${sql.ref(column)} in (select uid from issue where project_uid = ${uid})`;
  const counts = await countBelongings(connection, among);
  const issue_count = await countRows(connection, sql`issue where project_uid = ${uid}`);
  const alias_count = await countRows(connection, sql`alias where project_uid = ${uid}`);
  const claim_count = await countRows(connection, sql`lease where ${among("issue_uid")}`);
  const spent_ids = await spendIds(connection, among, uid);
  const issue_uids = await notePurged(connection, among);
  const events = await deleteEvents(connection, among, uid);
  await deleteBelongings(connection, among);
  for (const { table, column } of PROJECT_COLUMNS)
    await rowsOf(
      connection,
      sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${uid}`,
    );
  await rowsOf(connection, sql`delete from project where uid = ${uid}`);
  await judgeWaitingParents(to);
  await putRow(connection, "spent_project", { id: project.id });
  const record = {
    ...(await reserveResetId(to, [uid, ...events.feeds])),
    ...envelope(to, by, nowMs),
    project_id: project.id,
    project_uid: uid,
    project_name: project.name,
    ...counts,
    ...events.deleted,
    spent_ids,
    issue_count,
    alias_count,
    claim_count,
    pending_claim_request_count: 0,
    issue_uids: issue_uids.join(" "),
  };
  return await storeRecord(connection, "project_purge_log", record);
}

/**
 * Removes the issue's links and labels, and subtracts the issue from the counts, so that the rows of other issues and
 * of the project are adjusted. The caller deletes the issue's own rows.
 */
export async function detachIssue(to: Appending, issue: StoredIssue): Promise<void> {
  const { uid, project_uid, status, deleted_at } = issue;
  await applyChanges(to, await removalsOf(to, uid));
  if (deleted_at !== null) return;
  const [open, closed] = status === "open" ? [-1, 0] : [0, -1];
  await addToProject.run(to.connection, { uid: project_uid, open, closed });
}

/**
 * Returns the changes that remove the issue's links and labels. A link that waited because of a removed link may
 * appear.
 */
async function removalsOf(
  { connection, loaded }: Appending,
  uid: string,
): Promise<readonly Change[]> {
  const ends = await rowsOf<LinkEnds>(
    connection,
    sql`select from_uid, to_uid, type from link where from_uid = ${uid} or to_uid = ${uid}
      union all select from_uid, to_uid, type from waiting_link where from_uid = ${uid} or to_uid = ${uid}`,
  );
  await load(connection, loaded, touchesOfLinks(uid, ends));
  const links = new LinkChanges(loaded);
  for (const end of ends) links.remove(end);
  const labels = await rowsOf<Pick<LabelRow, "issue_uid" | "label">>(
    connection,
    sql`select issue_uid, label from label where issue_uid = ${uid}`,
  );
  return [...links.changes(), ...labels.map((remove): Change => ({ table: "label", remove }))];
}

async function countBelongings(connection: Connection, among: ColumnCondition) {
  const count = async (table: string) =>
    await countRows(connection, sql`${sql.table(table)} where ${among("issue_uid")}`);
  return {
    comment_count: await count("comment"),
    label_count: await count("label"),
    link_count: await countRows(
      connection,
      sql`(select id from link where ${among("from_uid")} union select id from link where ${among("to_uid")}) as ends`,
    ),
  };
}

async function countRows(connection: Connection, from: RawBuilder<unknown>): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(connection, sql`select count(*) as n from ${from}`);
  return row?.n ?? 0;
}

/**
 * Marks the current and former short ids of the issues as spent, so that they are never assigned again. Ids in a
 * project that is purged too need no mark.
 */
async function spendIds(
  connection: Connection,
  among: ColumnCondition,
  leavingProject = "",
): Promise<string> {
  const ids = await rowsOf<{ project_uid: string; short_id: string }>(
    connection,
    sql`select project_uid, short_id from issue where ${among("uid")} and project_uid <> ${leavingProject}
      union select project_uid, short_id from former where ${among("issue_uid")} and project_uid <> ${leavingProject}`,
  );
  for (const id of ids) await putRow(connection, "spent_id", id);
  return ids
    .map(({ project_uid, short_id }) => `${project_uid}#${short_id}`)
    .sort()
    .join(" ");
}

async function notePurged(
  connection: Connection,
  among: ColumnCondition,
): Promise<readonly string[]> {
  const issues = await rowsOf<{ uid: string }>(
    connection,
    sql`select uid from issue where ${among("uid")} order by uid`,
  );
  const uids = issues.map(({ uid }) => uid);
  await putRows(
    connection,
    "purged_issue",
    uids.map((issue_uid) => ({ issue_uid })),
  );
  return uids;
}

/** Deletes the rows of issues that are not made by events. The issues themselves need not be here. */
export async function deleteWritten(connection: Connection, among: ColumnCondition): Promise<void> {
  for (const { table, column } of ISSUE_COLUMNS.filter(({ isWritten }) => isWritten))
    await rowsOf(connection, sql`delete from ${sql.table(table)} where ${among(column)}`);
}

/** With `keepsWritten`, rows that are not made by events stay: the issues of a copy that begins anew come again. */
export async function deleteBelongings(
  connection: Connection,
  among: ColumnCondition,
  { keepsWritten = false } = {},
): Promise<void> {
  const key = sql.ref(connection.dialect === "sqlite" ? "rowid" : "issue_id");
  const ids = sql`select id from issue where ${among("uid")}`;
  await rowsOf(connection, sql`delete from issue_text where ${key} in (${ids})`);
  for (const { table, column, isWritten } of ISSUE_COLUMNS)
    if (!isWritten || !keepsWritten)
      await rowsOf(connection, sql`delete from ${sql.table(table)} where ${among(column)}`);
  await rowsOf(connection, sql`delete from issue where ${among("uid")}`);
}

/**
 * Reserves an event id that no event will use, and requests the erasure of the deleted text. Readers with a lower
 * cursor must start again (docs/contract/http-api.md#53-purge-and-reset).
 */
export async function reserveResetId(
  to: Appending,
  feeds: readonly string[],
): Promise<{ readonly purge_reset_after_event_id: number }> {
  const id = await resetReaders(to, feeds);
  // Label names are user text too, so delete names that no issue uses any more.
  await rowsOf(to.connection, sql`delete from label_count where count <= 0`);
  await clearWords(to.connection);
  await requestRewrite(to.connection);
  await recordPendingErasure(to.connection, id);
  // The cache may contain rows of the purged issue or project.
  to.loaded.clear();
  return { purge_reset_after_event_id: id };
}

/**
 * Reserves an event id that no event will use, because rows of these projects changed without an event. Readers with a
 * lower cursor must start again (docs/contract/http-api.md#53-purge-and-reset). Returns the id.
 */
export async function resetReaders(to: Appending, feeds: readonly string[]): Promise<number> {
  const id = to.head.last_event_id + 1;
  to.head = { ...to.head, last_event_id: id };
  for (const project_uid of new Set(feeds)) await putReset(to.connection, project_uid, id);
  return id;
}

interface Envelope extends PurgeBy {
  readonly uid: string;
  readonly origin_instance_uid: string;
  readonly purged_at: Instant;
}

function envelope({ ids, instanceUid }: Appending, by: PurgeBy, nowMs: number): Envelope {
  const purged_at = msToInstant(nowMs);
  return { uid: ids.ulid(), origin_instance_uid: instanceUid, ...by, purged_at };
}

async function storeRecord<T extends "purge_log" | "project_purge_log">(
  connection: Connection,
  table: T,
  record: Rows[T],
): Promise<Selected<T>> {
  await putRow(connection, table, record);
  const [row] = await rowsOf<Selected<T>>(
    connection,
    sql`select * from ${sql.table(table)} where uid = ${record.uid}`,
  );
  invariant(row !== undefined, "what was inserted is there");
  return row;
}
