import { sql } from "kysely";
import { slicesById } from "../../base/slices.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { existingIssues } from "../load/statements.ts";
import { eventStatement } from "../repos/statements.ts";
import { isIn } from "../rows/statement.ts";
import { putRow } from "../rows/table-rows.ts";

/** Records the commits that a close names as its evidence, so that a search for a commit finds the issue. */
export async function noteCommits(
  connection: Connection,
  event: StoredEvent,
  existing: ReadonlySet<string>,
): Promise<void> {
  const { issue_uid } = event;
  if (issue_uid === undefined || !existing.has(issue_uid)) return;
  for (const sha of commitsIn(event)) await putRow(connection, "issue_commit", { sha, issue_uid });
}

function commitsIn(event: StoredEvent): readonly string[] {
  if (event.type !== "issue.closed") return [];
  const shas = (event.payload.evidence ?? []).flatMap(({ type, sha }) =>
    type === "commit" && typeof sha === "string" ? [sha.toLowerCase()] : [],
  );
  return [...new Set(shas)];
}

const SLICE = 500;

/** Rebuilds the table `issue_commit` from the log, after a restore. */
export async function rebuildCommits(connection: Connection): Promise<void> {
  await connection.execute("delete from issue_commit", []);
  const read = async (after: number) => await closes.all(connection, { after });
  for await (const slice of slicesById(SLICE, 0, read)) await noteAll(connection, slice);
}

/**
 * Rebuilds the rows of the issues that these events have closed, after the events began to count or no longer count.
 */
export async function rebuildCommitsOf(
  connection: Connection,
  events: readonly StoredEvent[],
): Promise<void> {
  const closed = events.filter((event) => commitsIn(event).length > 0);
  const uids = [...new Set(closed.flatMap(({ issue_uid }) => issue_uid ?? []))];
  if (uids.length === 0) return;
  const among = isIn(connection.dialect, sql.ref("issue_uid"), uids);
  await rowsOf(connection, sql`delete from issue_commit where ${among}`);
  await noteAll(connection, await closesOf.all(connection, { uids }));
}

async function noteAll(connection: Connection, events: readonly StoredEvent[]): Promise<void> {
  const counted = events.filter(({ skipped_at }) => skipped_at === undefined);
  const uids = [...new Set(counted.flatMap(({ issue_uid }) => issue_uid ?? []))];
  const existing = await existingIssues(connection, uids);
  for (const event of counted) await noteCommits(connection, event, existing);
}

const closes = eventStatement((db, p: { after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", "issue.closed")
    .where("payload", "like", '%"commit"%')
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);

const closesOf = eventStatement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", "issue.closed")
    .where("payload", "like", '%"commit"%')
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);
