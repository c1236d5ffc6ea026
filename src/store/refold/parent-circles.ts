import { sql } from "kysely";
import type { LinkRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";
import { rowsOfIssues } from "./stored-rows.ts";

/** Reads the shown parent links of these children. */
export const parentLinks = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type", "author", "created_at"])
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids))
    .where("type", "=", sql.lit("parent" as const)),
);

/**
 * Whether the way up from one of these parent links leads in a circle or to a parent link that waits. Only then can it
 * be wrong that a link on this way is shown.
 */
export async function mayBeInCircle(
  connection: Connection,
  links: readonly LinkRow[],
): Promise<boolean> {
  const above = new Map<string, LinkRow>();
  for (let level = links; level.length > 0; ) {
    for (const link of level) above.set(link.from_uid, link);
    const next = new Set(level.map(({ to_uid }) => to_uid));
    level = await parentLinks.all(connection, { uids: [...next].filter((uid) => !above.has(uid)) });
  }
  if (circleLinks([...above.values()]).length > 0) return true;
  const ends = [...above.values()].flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
  const waiting = await rowsOfIssues(connection, "waiting_link", [...new Set(ends)]);
  return waiting.some(({ type }) => type === "parent");
}

/** Returns one link of each circle of parents. */
export function circleLinks(links: readonly LinkRow[]): readonly LinkRow[] {
  const byChild = new Map(links.map((link) => [link.from_uid, link]));
  const seen = new Map<string, string>();
  return links.filter(({ from_uid: start }) => {
    let at: string | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.set(at, start);
      at = byChild.get(at)?.to_uid;
    }
    // True if the walk came back to an issue of its own path.
    return at !== undefined && seen.get(at) === start && byChild.has(at);
  });
}
