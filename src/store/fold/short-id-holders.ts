import { sql } from "kysely";
import { canonicalJson } from "../../base/json.ts";
import type { AssignedIds } from "../../contract/events.ts";
import type { Connection } from "../connection.ts";
import { eventStatement } from "../repos/statements.ts";
import { isIn, sqlStatement, statement } from "../rows/statement.ts";
import type { FoldContext } from "./context.ts";

/**
 * Returns the first id on the hub of the events that create the issue (its creation or a snapshot). Returns Infinity if
 * the hub does not have such an event yet, or if this database is the hub.
 */
export async function hubIdOf(connection: Connection, uid: string): Promise<number> {
  const found = await firstHubId.one(connection, { uid });
  return found?.id ?? Number.POSITIVE_INFINITY;
}

const firstHubId = sqlStatement<{ readonly uid: string }, { readonly id: number | null }>(
  (p) => sql`select min(hub_event_id) as id from event
    where issue_uid = ${p.uid} and type in ('issue.created', 'issue.snapshot')`,
).map(({ id }) => ({ id: id === null ? null : Number(id) }));

/** Returns which of these short ids are spent in the project (never assigned again). */
export async function spentAmong(
  connection: Connection,
  project_uid: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await spent.all(connection, { project_uid, ids });
  return new Set(found.map(({ short_id }) => short_id));
}

const spent = statement((db, p: { project_uid: string; ids: readonly string[] }, dialect) =>
  db
    .selectFrom("spent_id")
    .select("short_id")
    .where("project_uid", "=", p.project_uid)
    .where(({ ref }) => isIn(dialect, ref("short_id"), p.ids)),
);

/**
 * Stores the issue's short id with the events before `before` that created the issue, so that every later fold gives
 * the same short id.
 */
export async function reassign(
  connection: Connection,
  of: { readonly uid: string; readonly project_uid: string; readonly before: number },
  short_id: string,
): Promise<void> {
  const { uid, project_uid } = of;
  for (const event of await creations.all(connection, of)) {
    const own = { ...event.assigned_ids?.[uid], [project_uid]: short_id };
    await keepAssigned(connection, event.id, { ...event.assigned_ids, [uid]: own });
  }
}

const creations = eventStatement((db, p: { uid: string; project_uid: string; before: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.uid)
    .where("project_uid", "=", p.project_uid)
    .where("id", "<", p.before)
    .where("type", "in", [sql.lit("issue.created" as const), sql.lit("issue.snapshot" as const)])
    .orderBy("id"),
);

export async function keepAssigned(
  connection: Connection,
  id: number,
  assigned: AssignedIds,
): Promise<void> {
  await putAssigned.run(connection, { id, assigned: canonicalJson(assigned) });
}

const putAssigned = statement((db, p: { id: number; assigned: string }) =>
  db.updateTable("event").set({ assigned_ids: p.assigned }).where("id", "=", p.id),
);

/**
 * Gives these issues a temporary short id that no other issue has: the whole uid. No two rows may ever have the same
 * short id, so call this before other issues get the former short ids of these. The issues must be loaded.
 */
export async function setShortIdsAside(
  { connection, loaded }: FoldContext,
  uids: readonly string[],
): Promise<void> {
  const there = [...new Set(uids)].filter((uid) => loaded.issues.get(uid) !== undefined);
  if (there.length === 0) return;
  await useWholeUids.run(connection, { uids: there });
  for (const uid of there) {
    const known = loaded.issues.get(uid);
    if (known === undefined) continue;
    loaded.issues.set(uid, { ...known, row: { ...known.row, short_id: uid.toLowerCase() } });
  }
}

const useWholeUids = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .updateTable("issue")
    .set({ short_id: sql<string>`lower(uid)` })
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);
