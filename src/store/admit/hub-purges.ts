import { sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { Appending } from "../append.ts";
import { rowsOf } from "../connection.ts";
import { dropEvents } from "../purge/drop-events.ts";
import { deleteWritten, purgeIssue, reserveResetId } from "../purge/purge.ts";
import { issues } from "../repos/issues.ts";
import { pastEvents } from "../repos/past-events.ts";
import { isIn, statement } from "../rows/statement.ts";
import { putRows } from "../rows/table-rows.ts";
import { ALL_EVENTS } from "../types/events.ts";
import type { AdmitOptions, ForeignEvent } from "../types/store.ts";

type Baseline = ForeignEvent & Pick<StoredEvent<"project.federation_enabled">, "type" | "payload">;

/**
 * Purges the issues that baselines of the hub list as purged (docs/contract/federation.md#86-purges). A database that
 * was not reset still has these issues. A listed issue that was never here can no longer arrive, and links to it never
 * appear. Returns the other issues that events of the purged issues named: these other issues must be folded again,
 * because the events are gone.
 */
export async function carryOutPurges(
  to: Appending,
  events: readonly ForeignEvent[],
  { fromHub }: AdmitOptions,
  nowMs: number,
): Promise<readonly string[]> {
  const baselines = fromHub ? events.filter(isBaseline) : [];
  const listed = new Map<string, Baseline>();
  for (const event of baselines)
    for (const uid of event.payload.purged_uids) if (!listed.has(uid)) listed.set(uid, event);
  if (listed.size === 0) return [];
  const here = await projectsOf.all(to.connection, { uids: [...listed.keys()] });
  const named = new Set<string>();
  for (const { uid, project_uid } of here) {
    const event = listed.get(uid);
    listed.delete(uid);
    // A hub cannot purge an issue of another project.
    if (event?.project_uid !== project_uid) continue;
    for (const other of await purge(to, uid, event, nowMs)) named.add(other);
  }
  await keepOut(to, [...listed.keys()]);
  for (const baseline of baselines) await dropSkipped(to, baseline);
  const gone = new Set(baselines.flatMap(({ payload }) => payload.purged_uids));
  return [...named].filter((uid) => !gone.has(uid));
}

/** Purges the issue, if it is here. Returns the issues that are touched by events which are about it or name it. */
async function purge(
  to: Appending,
  uid: string,
  { actor }: Baseline,
  nowMs: number,
): Promise<readonly string[]> {
  const issue = await issues(to.connection).find(uid);
  if (issue === undefined) return [];
  const about = await pastEvents(to.connection).ofIssues([uid], ALL_EVENTS);
  await purgeIssue(to, issue, { actor, reason: null }, nowMs);
  to.loaded.clear();
  return about.flatMap(issuesIn);
}

/**
 * Records that issues which are not here count as purged. They may later arrive as issues of another project
 * (`purgedOf`). What a copy that began anew kept of them, such as their bridges, is deleted.
 */
async function keepOut(to: Appending, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return;
  const { connection } = to;
  await putRows(
    connection,
    "purged_issue",
    uids.map((issue_uid) => ({ issue_uid })),
  );
  const among = (column: string) => isIn(connection.dialect, sql.ref(column), uids);
  await rowsOf(
    connection,
    sql`delete from waiting_link where ${among("from_uid")} or ${among("to_uid")}`,
  );
  await deleteWritten(connection, among);
  to.loaded.clear();
}

/** Deletes skipped events of purged issues. They stayed when the copy began again with another log of the hub. */
async function dropSkipped(to: Appending, { project_uid, payload }: Baseline): Promise<void> {
  const among = isIn(to.connection.dialect, sql.ref("issue_uid"), payload.purged_uids);
  const doomed = sql`where feed_uid = ${project_uid} and skipped_at is not null and ${among}`;
  const [found] = await rowsOf(to.connection, sql`select id from event ${doomed} limit 1`);
  if (found === undefined) return;
  await dropEvents(to.connection, doomed);
  await reserveResetId(to, [project_uid]);
}

const projectsOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .select(["uid", "project_uid"])
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids))
    .orderBy("uid"),
);

function issuesIn(event: StoredEvent): readonly string[] {
  return touches(event).issues ?? [];
}

export function isBaseline(event: ForeignEvent): event is Baseline {
  return event.type === "project.federation_enabled";
}
