import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";

/** The comments of each issue, oldest first, joined by spaces. Issues without comments are missing. */
export async function commentTexts(
  connection: Connection,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = Map.groupBy(await bodies.all(connection, { uids }), ({ issue_uid }) => issue_uid);
  return new Map([...found].map(([uid, rows]) => [uid, rows.map(({ body }) => body).join(" ")]));
}

const bodies = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("comment")
    .select(["issue_uid", "body"])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .orderBy("id"),
);
