import { sql } from "kysely";
import type { Instant } from "../base/clock.ts";
import type { StoredEvent } from "../contract/events.ts";
import { feedOf } from "../domain/event-filter.ts";
import { RefoldTargets } from "./admit/refold-after.ts";
import type { Appending } from "./append.ts";
import { rowsOf } from "./connection.ts";
import { rebuildCommitsOf } from "./fold/closing-commits.ts";
import { existingIssues } from "./load/statements.ts";
import { deleteProjectKeys, restoreEarlierKeys } from "./purge/project-keys.ts";
import { deleteBelongings, detachIssue, resetReaders } from "./purge/purge.ts";
import { issues } from "./repos/issues.ts";
import { pastEvents } from "./repos/past-events.ts";
import { eventStatement } from "./repos/statements.ts";
import { isIn } from "./rows/statement.ts";
import { ALL_EVENTS } from "./types/events.ts";

/**
 * Marks events that the hub refused as skipped, and takes back what they changed: the events stay in the log, but are
 * no longer folded (docs/contract/federation.md#87-quarantine). Events that the hub is known to have are left alone. An
 * issue that only skipped events created disappears. All other events that were written here about this issue are
 * marked too, since the hub would refuse them forever.
 *
 * No new event announces the change, so readers of the project must start again. Returns the number of newly marked
 * events.
 */
export async function skipEvents(
  to: Appending,
  uids: readonly string[],
  skipped_at: Instant,
): Promise<number> {
  const { connection } = to;
  const refused = await unskipped.all(connection, { uids });
  if (refused.length === 0) return 0;
  await mark(to, refused, skipped_at);
  const gone = await goneWith(to, refused);
  const later = gone.size === 0 ? [] : await unskippedOf.all(connection, { issues: [...gone] });
  await mark(to, later, skipped_at);
  const events = [...refused, ...later];
  await forgetKeys(to, events);
  const named = gone.size === 0 ? [] : await removeIssues(to, [...gone]);
  await resetReaders(to, events.map(feedOf));
  // The cache may contain rows that are gone.
  to.loaded.clear();
  const owners = new RefoldTargets(named);
  for (const event of events) if (!gone.has(event.issue_uid ?? "")) owners.add(event);
  await owners.refold(to);
  await rebuildCommitsOf(connection, events);
  return events.length;
}

const unskipped = eventStatement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids))
    .where("skipped_at", "is", null)
    .where("hub_event_id", "is", null)
    .orderBy("id"),
);

const unskippedOf = eventStatement((db, p: { issues: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.issues))
    .where("skipped_at", "is", null)
    .where("hub_event_id", "is", null)
    .orderBy("id"),
);

async function mark(
  { connection }: Appending,
  events: readonly StoredEvent[],
  skipped_at: Instant,
): Promise<void> {
  const among = isIn(connection.dialect, sql.ref("uid"), uidsOf(events));
  await rowsOf(connection, sql`update event set skipped_at = ${skipped_at} where ${among}`);
}

/**
 * Deletes the idempotency keys of the requests that wrote the events. These requests changed nothing after all, so a
 * repeated request counts as a new one. Restores the earlier uses of keys of a project; folding an issue again restores
 * those of keys of the issue.
 */
async function forgetKeys(
  { connection }: Appending,
  events: readonly StoredEvent[],
): Promise<void> {
  const among = (column: string) => isIn(connection.dialect, sql.ref(column), uidsOf(events));
  const deleted = await deleteProjectKeys(connection, sql`where ${among("uid")}`);
  await rowsOf(connection, sql`delete from idempotency where ${among("event_uid")}`);
  await restoreEarlierKeys(connection, deleted);
}

function uidsOf(events: readonly StoredEvent[]): readonly string[] {
  return events.map(({ uid }) => uid);
}

/** Returns the issues that only skipped events have created. */
async function goneWith(
  { connection }: Appending,
  events: readonly StoredEvent[],
): Promise<ReadonlySet<string>> {
  const created = events.filter(creates).flatMap(({ issue_uid }) => issue_uid ?? []);
  const all = await pastEvents(connection).creating([...new Set(created)], ALL_EVENTS);
  const kept = new Set(
    all.filter((event) => creates(event) && event.skipped_at === undefined).map(issueOf),
  );
  return new Set(created.filter((uid) => !kept.has(uid)));
}

function creates({ type }: StoredEvent): boolean {
  return type === "issue.created" || type === "issue.snapshot";
}

function issueOf({ issue_uid }: StoredEvent): string | undefined {
  return issue_uid;
}

/**
 * Deletes the rows of the issues. Returns the other issues whose events name these: their links to these wait from now
 * on.
 */
async function removeIssues(to: Appending, uids: readonly string[]): Promise<readonly string[]> {
  const { connection } = to;
  const past = pastEvents(connection);
  const events = [
    ...(await past.ofIssues(uids, ALL_EVENTS)),
    ...(await past.mentioning(uids, ALL_EVENTS)),
  ];
  const others = new Set(events.flatMap(({ issue_uid }) => issue_uid ?? []));
  for (const uid of uids) {
    const issue = await issues(connection).find(uid);
    if (issue === undefined) continue;
    await detachIssue(to, issue);
    const among = (column: string) => sql<boolean>`${sql.ref(column)} = ${uid}`;
    await deleteBelongings(connection, among);
    to.loaded.clear();
    others.delete(uid);
  }
  return [...(await existingIssues(connection, [...others]))];
}
