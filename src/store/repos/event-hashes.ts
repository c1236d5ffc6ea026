import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";

/** Returns the content hash of each of these events that the log has, by uid. */
export async function hashesOf(
  connection: Connection,
  uids: readonly string[],
): Promise<Map<string, string>> {
  const stored = await hashes.all(connection, { uids });
  return new Map(stored.map(({ uid, content_hash }) => [uid, content_hash]));
}

const hashes = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select(["uid", "content_hash"])
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);
