import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";

/**
 * Clears `held` in circles of parents. In such a circle each issue holds the next one, so `held` would stay after the
 * last reason for it has ended. Clears it for the issues of each circle in which no issue is blocked or parked itself.
 * `suspects` are held issues; each circle that contains one is checked as a whole. Returns the issues that are no
 * longer held.
 */
export async function freeCircles(
  connection: Connection,
  suspects: readonly string[],
): Promise<readonly string[]> {
  if (suspects.length === 0) return [];
  const parents = await ancestorsOf(connection, suspects);
  const circles = new Set(suspects.flatMap((uid) => circleFrom(uid, parents)));
  const free = [...circles].filter((uid) => !circleFrom(uid, parents).some(isReason(parents)));
  if (free.length > 0) await clearHeld.run(connection, { uids: free });
  return free;
}

interface Child {
  readonly uid: string;
  readonly parent_uid: string;
  /** 0 if the issue only passes `held` on: it is open, live, and neither blocked nor parked itself. Otherwise 1. */
  readonly is_reason: number;
}

/**
 * Returns the given issues and their ancestors by uid, if they have both a parent and children. An issue without
 * children cannot be in a circle. Most issues that get a parent have none.
 */
async function ancestorsOf(
  connection: Connection,
  uids: readonly string[],
): Promise<ReadonlyMap<string, Child>> {
  const found = new Map<string, Child>();
  for (let level = uids; level.length > 0; ) {
    const rows = await parentsOf.all(connection, { uids: level });
    for (const row of rows) found.set(row.uid, row);
    level = [...new Set(rows.map(({ parent_uid }) => parent_uid))].filter((uid) => !found.has(uid));
  }
  return found;
}

/** Returns the issues of the circle that contains the issue. Returns none if its ancestors do not lead back to it. */
function circleFrom(uid: string, parents: ReadonlyMap<string, Child>): readonly string[] {
  const path = new Set<string>();
  let at: string | undefined = uid;
  while (at !== undefined && !path.has(at)) {
    path.add(at);
    at = parents.get(at)?.parent_uid;
  }
  return at === uid ? [...path] : [];
}

function isReason(parents: ReadonlyMap<string, Child>): (uid: string) => boolean {
  return (uid) => parents.get(uid)?.is_reason === 1;
}

const parentsOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link as l")
    .innerJoin("issue as i", "i.uid", "l.from_uid")
    .innerJoin("project as ip", "ip.uid", "i.project_uid")
    .where("l.type", "=", sql.lit("parent"))
    .where(({ ref }) => isIn(dialect, ref("l.from_uid"), p.uids))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("link as c")
          .whereRef("c.to_uid", "=", "l.from_uid")
          .where("c.type", "=", sql.lit("parent"))
          .select(sql.lit(1).as("one")),
      ),
    )
    .select(["l.from_uid as uid", "l.to_uid as parent_uid"])
    .select(
      sql<number>`case when i.status = 'open' and i.deleted_at is null and ip.deleted_at is null
        and i.open_blockers = 0 and i.parked = 0 then 0 else 1 end`.as("is_reason"),
    ),
);

const clearHeld = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .updateTable("issue")
    .set({ held: 0 })
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);
