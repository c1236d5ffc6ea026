import { sql } from "kysely";
import type { Appending } from "../append.ts";
import { rowsOf } from "../connection.ts";
import { noteMentionsOf } from "../fold/mentions.ts";
import { pastEvents } from "../repos/past-events.ts";
import { isIn } from "../rows/statement.ts";
import { ALL_EVENTS } from "../types/events.ts";

/**
 * Forgets that these issues were purged, since the hub may send them again. Returns all issues, in any project, whose
 * events are about these issues or link to them. The caller must fold the links of the returned issues again, since
 * links to an issue that is missing now wait for this issue.
 */
export async function unmarkPurged(
  to: Appending,
  uids: readonly string[],
): Promise<readonly string[]> {
  if (uids.length === 0) return [];
  const { connection } = to;
  await rowsOf(
    connection,
    sql`delete from purged_issue where ${isIn(connection.dialect, sql.ref("issue_uid"), uids)}`,
  );
  to.loaded.clear();
  await noteMentionsOf(connection, uids);
  const past = pastEvents(connection);
  const naming = [
    ...(await past.ofIssues(uids, ALL_EVENTS)),
    ...(await past.mentioning(uids, ALL_EVENTS)),
  ];
  return [...new Set(naming.flatMap(({ issue_uid }) => issue_uid ?? []))];
}
