import { slicesById } from "../../base/slices.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Connection } from "../connection.ts";
import { existingIssues } from "../load/statements.ts";
import { eventStatement } from "../repos/statements.ts";
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

/** Rebuilds the table `issue_commit` from the log, after the migration that creates it and after a restore. */
export async function rebuildCommits(connection: Connection): Promise<void> {
  await connection.execute("delete from issue_commit", []);
  const read = async (after: number) => await closes.all(connection, { after });
  for await (const slice of slicesById(SLICE, 0, read)) {
    const there = await existingIssues(connection, [
      ...new Set(slice.flatMap(({ issue_uid }) => issue_uid ?? [])),
    ]);
    for (const event of slice) {
      const { issue_uid } = event;
      if (issue_uid === undefined || !there.has(issue_uid)) continue;
      for (const sha of commitsIn(event))
        await putRow(connection, "issue_commit", { sha, issue_uid });
    }
  }
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
