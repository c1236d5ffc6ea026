import { sql } from "kysely";
import type { Instant } from "../base/clock.ts";
import type { StoredEvent } from "../contract/events.ts";
import { Owners } from "./admit/refold-after.ts";
import type { Appending } from "./append.ts";
import { rowsOf } from "./connection.ts";
import { existingIssues } from "./load/statements.ts";
import { deleteBelongings, detachIssue, reserveResetId } from "./purge/purge.ts";
import { issues } from "./repos/issues.ts";
import { pastEvents } from "./repos/past-events.ts";
import { eventStatement } from "./repos/statements.ts";
import { isIn } from "./rows/statement.ts";
import { ALL_EVENTS } from "./types/events.ts";

/**
 * Marks events that the hub refused as skipped, and takes back what they changed: they stay in the log, and are folded no
 * more (facts federation 8). An issue that only they created disappears, and readers of its project must start again,
 * since no event says so. Returns the number of events that were not marked before.
 */
export async function skipEvents(
  to: Appending,
  uids: readonly string[],
  skipped_at: Instant,
): Promise<number> {
  const { connection } = to;
  const events = await unskipped.all(connection, { uids });
  if (events.length === 0) return 0;
  const among = isIn(connection.dialect, sql.ref("uid"), uids);
  await rowsOf(
    connection,
    sql`update event set skipped_at = ${skipped_at} where ${among} and skipped_at is null`,
  );
  const gone = await goneWith(to, events);
  const named = gone.size === 0 ? [] : await removeIssues(to, [...gone]);
  const owners = new Owners(named);
  for (const event of events) if (!gone.has(event.issue_uid ?? "")) owners.add(event);
  await owners.refold(to);
  return events.length;
}

const unskipped = eventStatement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids))
    .where("skipped_at", "is", null)
    .orderBy("id"),
);

/** The issues that no other event has created. */
async function goneWith(
  { connection }: Appending,
  events: readonly StoredEvent[],
): Promise<ReadonlySet<string>> {
  const created = events.filter(creates).flatMap(({ issue_uid }) => issue_uid ?? []);
  const all = await pastEvents(connection).ofIssues([...new Set(created)], ALL_EVENTS);
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

/** Deletes the rows of the issues. Returns the issues that have links with them, which wait from now on. */
async function removeIssues(to: Appending, uids: readonly string[]): Promise<readonly string[]> {
  const { connection } = to;
  const past = pastEvents(connection);
  const events = [
    ...(await past.ofIssues(uids, ALL_EVENTS)),
    ...(await past.mentioning(uids, ALL_EVENTS)),
  ];
  const others = new Set(events.flatMap(({ issue_uid }) => issue_uid ?? []));
  const projects = new Set<string>();
  for (const uid of uids) {
    const issue = await issues(connection).find(uid);
    if (issue === undefined) continue;
    projects.add(issue.project_uid);
    await detachIssue(to, issue);
    const among = (column: string) => sql<boolean>`${sql.ref(column)} = ${uid}`;
    await rowsOf(
      connection,
      sql`delete from idempotency where event_uid in (select uid from event where issue_uid = ${uid})`,
    );
    await deleteBelongings(connection, among);
    to.loaded.clear();
    others.delete(uid);
  }
  await reserveResetId(to, [...projects]);
  return [...(await existingIssues(connection, [...others]))];
}
