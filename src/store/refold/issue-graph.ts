import { sql } from "kysely";
import { MemoryState } from "../../domain/memory.ts";
import type { ProjectRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { rowsByKeys } from "../load/statements.ts";
import { folded, parsed } from "../rows/rows.ts";
import { isIn, statement } from "../rows/statement.ts";
import { parentLinks } from "./parent-circles.ts";
import { rowsOfIssues } from "./stored-rows.ts";

/**
 * Loads the rows from which the derived columns of these issues are computed (`domain/readiness.ts`): blockers,
 * children, series, ancestors, and the blockers of the ancestors.
 */
export async function graphAround(
  connection: Connection,
  uids: readonly string[],
  projects: readonly ProjectRow[],
): Promise<MemoryState> {
  const state = new MemoryState();
  for (const project of projects) state.put("project", project);
  const needed = new Set(uids);
  for (const row of await linksTo.all(connection, { uids })) {
    state.put("link", row);
    needed.add(row.from_uid);
  }
  const seen = new Set(uids);
  for (let level = uids; level.length > 0; ) {
    const above = await parentLinks.all(connection, { uids: level });
    for (const row of above) {
      state.put("link", row);
      needed.add(row.to_uid);
    }
    level = [...new Set(above.map(({ to_uid }) => to_uid))].filter((uid) => !seen.has(uid));
    for (const uid of level) seen.add(uid);
    if (level.length === 0) break;
    for (const row of await blocksTo.all(connection, { uids: level })) {
      state.put("link", row);
      needed.add(row.from_uid);
    }
  }
  for (const row of await rowsOfIssues(connection, "issue", [...needed])) state.put("issue", row);
  const series = [...state.rows("issue")].flatMap(({ recurrence_uid }) => recurrence_uid ?? []);
  for (const row of await rowsByKeys(connection, "recurrence", [...new Set(series)]))
    state.put("recurrence", row);
  return state;
}

const COLUMNS = ["from_uid", "to_uid", "type", "author", "created_at"] as const;

const linksTo = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(COLUMNS)
    .where(({ ref }) => isIn(dialect, ref("to_uid"), p.uids))
    .where("type", "in", [sql.lit("blocks" as const), sql.lit("parent" as const)]),
);

const blocksTo = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(COLUMNS)
    .where(({ ref }) => isIn(dialect, ref("to_uid"), p.uids))
    .where("type", "=", sql.lit("blocks" as const)),
);

/** Reads the issues with the derived columns that the store maintains. */
export async function derivedRows(connection: Connection, uids: readonly string[]) {
  const found = await withDerived.all(connection, { uids });
  return found.map((row) => {
    const issue = parsed("issue", row);
    return { issue: folded("issue", issue), stored: issue };
  });
}

const withDerived = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids))
    .orderBy("id"),
);
