import { bitBytesOf, bytesOf } from "../../domain/meaning/vectors.ts";
import { type Connection, together } from "../connection.ts";
import type { EmbeddedIssue, Restamp } from "../types/vectors.ts";
import * as statements from "./statements.ts";

/** Writes the issues with their vectors in place of older ones, in the transaction of the connection. */
export async function writeIssues(
  connection: Connection,
  generation: number,
  issues: readonly EmbeddedIssue[],
): Promise<void> {
  if (issues.length === 0) return;
  const chunks = issues.reduce((sum, { vectors }) => sum + vectors.length, 0);
  const version = await takeNumbers(connection, chunks + 1);
  let first_chunk = version - chunks;
  for (const issue of issues) {
    await makeWay(connection, generation, issue);
    await insert(connection, { generation, version, first_chunk }, issue);
    first_chunk += issue.vectors.length;
  }
}

/** Changes the stamps of those of the issues that the generation has, and returns their uids. */
export async function restampIssues(
  connection: Connection,
  generation: number,
  issues: readonly Restamp[],
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  if (issues.length === 0) return changed;
  const version = await takeNumbers(connection, 1);
  for (const issue of issues) {
    const found = await statements.rowsInTheWay.all(connection, { generation, ...key(issue) });
    if (!found.some(({ issue_uid }) => issue_uid === issue.issue_uid)) continue;
    await removeRows(
      connection,
      found.filter(({ issue_uid }) => issue_uid !== issue.issue_uid),
    );
    const { project_uid, content_revision, text_hash } = issue;
    const stamp = { ...key(issue), project_uid, content_revision, text_hash };
    await statements.updateStamp.run(connection, { ...stamp, generation, version });
    changed.add(issue.issue_uid);
  }
  return changed;
}

/** Removes the rows and their vectors. */
export async function removeRows(
  connection: Connection,
  rows: readonly statements.StoredChunks[],
): Promise<void> {
  await together(
    connection,
    rows.map(({ generation, issue_id, first_chunk, chunk_count }) => async () => {
      const range = { from: first_chunk, before: first_chunk + chunk_count };
      if (chunk_count > 0) await statements.deleteChunks.run(connection, range);
      await statements.deleteIssue.run(connection, { generation, issue_id });
    }),
  );
}

/** Reserves numbers that nobody had before, and returns the last of them. */
async function takeNumbers(connection: Connection, count: number): Promise<number> {
  return Number((await statements.takeNumbers.one(connection, { count }))?.value);
}

function key({ issue_id, issue_uid }: Restamp): Pick<Restamp, "issue_id" | "issue_uid"> {
  return { issue_id, issue_uid };
}

async function makeWay(
  connection: Connection,
  generation: number,
  issue: EmbeddedIssue,
): Promise<void> {
  await removeRows(
    connection,
    await statements.rowsInTheWay.all(connection, { generation, ...key(issue) }),
  );
}

interface Place {
  readonly generation: number;
  readonly version: number;
  readonly first_chunk: number;
}

async function insert(
  connection: Connection,
  place: Place,
  { vectors, ...stamp }: EmbeddedIssue,
): Promise<void> {
  const { generation, first_chunk } = place;
  const { issue_uid } = stamp;
  const bits = bitBytesOf(vectors, vectors[0]?.length ?? 0);
  const row = { ...stamp, ...place, chunk_count: vectors.length, bits };
  const insertions = vectors.map((vector, number) => async () => {
    const chunk = { id: first_chunk + number, generation, issue_uid, number };
    await statements.insertChunk.run(connection, { ...chunk, vector: bytesOf(vector) });
  });
  await together(connection, [
    async () => await statements.insertIssue.run(connection, row),
    ...insertions,
  ]);
}
