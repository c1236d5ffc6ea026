import { sql } from "kysely";
import { invariant } from "../../base/invariant.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { changeOf, pairRows, type RowPair } from "../../domain/compare-rows.ts";
import { foldLog, type MemoryState } from "../../domain/memory.ts";
import type { Change, Touches } from "../../domain/state.ts";
import { FOLDED, type FoldedTable, type Rows } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { applyChanges } from "../fold/apply-event.ts";
import type { FoldContext } from "../fold/context.ts";
import { load } from "../load/load.ts";
import { isIn, statement } from "../rows/statement.ts";
import { eventsFor } from "./events.ts";
import { OWNER_COLUMNS, SHARED_VALUES } from "./issue-tables.ts";
import { issuesOfEvents, rowsOfIssues, rowsSharing } from "./stored-rows.ts";

/**
 * Folds the events of these issues. Pairs each row that the fold gives with the stored row of the same key. The pairs
 * have the order of the tables, so a missing issue comes before its labels. `wide` is the result of `wideEvents`, if
 * the caller already has it.
 */
export async function refold(
  connection: Connection,
  uids: readonly string[],
  wide?: readonly StoredEvent[],
): Promise<readonly RowPair[]> {
  const all = new Set(uids);
  for (;;) {
    const events = await eventsFor(connection, [...all], wide === undefined ? {} : { wide });
    const pairs = await pairsFor(connection, all, foldLog(events), events);
    // An event of another issue may have taken a row with shared values. Only a fold of both issues shows this.
    const others = await otherOwners(connection, pairs, all);
    if (others.length === 0) return pairs;
    for (const uid of others) all.add(uid);
  }
}

/** Writes the rows of these issues that differ from what their events say. Returns the number of changed rows. */
export async function refoldRows(context: FoldContext, uids: readonly string[]): Promise<number> {
  const { connection, loaded, texts } = context;
  const pairs = await refold(connection, uids);
  const changes = pairs.flatMap((pair) => changeOf(pair) ?? []);
  for (const { table, folded, stored } of pairs) {
    invariant(table !== "issue" || folded !== undefined, "only a purge removes an issue");
    if (table === "comment" && folded === undefined)
      texts.add((stored as Rows["comment"]).issue_uid);
  }
  await load(connection, loaded, touchesOf(changes));
  loaded.free.clear();
  await freeShortIds(context, changes);
  await applyChanges(context, changes);
  return changes.length;
}

/**
 * Gives issues whose short ids must change a temporary short id first. Two issues may have to exchange their short ids,
 * and no two rows may have the same short id at any time. The temporary id is the uid of the issue, which no other
 * issue has. The same is done for a row that gets another project.
 */
async function freeShortIds(
  { connection, loaded }: FoldContext,
  changes: readonly Change[],
): Promise<void> {
  const uids: string[] = [];
  for (const change of changes) {
    if (change.table !== "issue" || !("put" in change)) continue;
    const { uid, project_uid, short_id } = change.put;
    const known = loaded.issues.get(uid);
    if (known === undefined) continue;
    if (known.row.short_id === short_id && known.row.project_uid === project_uid) continue;
    uids.push(uid);
    loaded.issues.set(uid, { ...known, row: { ...known.row, short_id: uid.toLowerCase() } });
  }
  if (uids.length > 0) await useWholeUids.run(connection, { uids });
}

const useWholeUids = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .updateTable("issue")
    .set({ short_id: sql<string>`lower(uid)` })
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

async function pairsFor(
  connection: Connection,
  uids: ReadonlySet<string>,
  state: MemoryState,
  events: readonly StoredEvent[],
): Promise<readonly RowPair[]> {
  const issueOf = new Map(events.map((event) => [event.uid, event.issue_uid]));
  const pairs: RowPair[] = [];
  for (const table of FOLDED) {
    const owner = OWNER_COLUMNS.get(table);
    if (owner === undefined && table !== "idempotency") continue;
    const folded = [...state.rows(table)].filter((row) => {
      const values = new Map<string, unknown>(Object.entries(row));
      const uid =
        owner === undefined ? issueOf.get(String(values.get("event_uid"))) : values.get(owner);
      return typeof uid === "string" && uids.has(uid);
    });
    const stored =
      owner === undefined
        ? await rowsSharing(connection, table, folded)
        : await rowsOfIssues(connection, table, [...uids]);
    pairs.push(...pairRows(table, folded, stored));
  }
  return pairs;
}

/** Returns issues outside of `uids` that have a row with shared values which belong to a row of these issues. */
async function otherOwners(
  connection: Connection,
  pairs: readonly RowPair[],
  uids: ReadonlySet<string>,
): Promise<readonly string[]> {
  const owners: string[] = [];
  for (const table of SHARED_VALUES.keys()) {
    const unlike = pairs.filter((pair) => pair.table === table && changeOf(pair) !== undefined);
    const wanted = unlike.flatMap(({ folded }) => folded ?? []);
    if (wanted.length === 0) continue;
    const found = await rowsSharing(connection, table, wanted);
    owners.push(...(await ownersOf(connection, table, found)));
  }
  return owners.filter((uid) => !uids.has(uid));
}

async function ownersOf(
  connection: Connection,
  table: FoldedTable,
  rows: readonly Rows[FoldedTable][],
): Promise<readonly string[]> {
  const column = OWNER_COLUMNS.get(table);
  const valuesOf = (name: string): readonly string[] =>
    rows.map((row) => String(new Map<string, unknown>(Object.entries(row)).get(name)));
  return column === undefined
    ? await issuesOfEvents(connection, valuesOf("event_uid"))
    : valuesOf(column);
}

/** Returns what must be loaded before the changes are made. */
function touchesOf(changes: readonly Change[]): Touches {
  const issues: string[] = [];
  const parentsOf: string[] = [];
  for (const change of changes) {
    const row = "put" in change ? change.put : change.remove;
    if (change.table === "issue") issues.push((row as Rows["issue"]).uid);
    if (change.table !== "link") continue;
    const { from_uid, to_uid, type } = row as Rows["link"];
    issues.push(from_uid, to_uid);
    if (type === "parent") parentsOf.push(from_uid);
  }
  return { issues: [...new Set(issues)], parentsOf: [...new Set(parentsOf)] };
}
