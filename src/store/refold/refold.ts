import { invariant } from "../../base/invariant.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { changeOf, pairRows, type RowPair } from "../../domain/compare-rows.ts";
import { foldPart, type MemoryState } from "../../domain/memory.ts";
import type { Change } from "../../domain/state.ts";
import { FOLDED, type FoldedTable, type Rows } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { applyChanges } from "../fold/apply-event.ts";
import type { FoldContext } from "../fold/context.ts";
import { setShortIdsAside } from "../fold/short-id-holders.ts";
import { load } from "../load/load.ts";
import { eventsFor } from "./events.ts";
import { OWNER_COLUMNS, SHARED_VALUES } from "./issue-tables.ts";
import { linkDifferences, linkPairs } from "./links.ts";
import { issuesOfEvents, rowsOfIssues, rowsSharing } from "./stored-rows.ts";

/**
 * Folds the events of these issues. Returns each row that the fold gives together with the stored row of the same key.
 * The pairs have the order of the tables, so a missing issue comes before its labels. Links are returned only if they
 * differ. `wide` is the result of `wideEvents`, if the caller already has it.
 */
export async function refold(
  connection: Connection,
  uids: readonly string[],
  wide?: readonly StoredEvent[],
): Promise<readonly RowPair[]> {
  const { all, state, pairs } = await foldOf(connection, uids, wide);
  return [...pairs, ...(await linkPairs(connection, all, state))];
}

/** Writes the rows of these issues that differ from what their events say. Returns the number of changed rows. */
export async function refoldRows(context: FoldContext, uids: readonly string[]): Promise<number> {
  const { connection, loaded, texts } = context;
  const { all, state, pairs } = await foldOf(connection, uids);
  const changes = pairs.flatMap((pair) => changeOf(pair) ?? []);
  for (const { table, folded, stored } of pairs) {
    invariant(table !== "issue" || folded !== undefined, "only a purge removes an issue");
    if (table === "comment" && folded === undefined)
      texts.add((stored as Rows["comment"]).issue_uid);
  }
  const issues = changes.flatMap((change) =>
    change.table === "issue" && "put" in change ? change.put.uid : [],
  );
  await load(connection, loaded, { issues });
  loaded.free.clear();
  await freeShortIds(context, changes);
  await applyChanges(context, changes);
  const links = await linkDifferences(connection, loaded, all, state);
  await applyChanges(context, links);
  return changes.length + links.length;
}

/** Like `refoldRows`, but corrects only the links that start at these issues. */
export async function refoldLinks(context: FoldContext, uids: readonly string[]): Promise<void> {
  const { connection, loaded } = context;
  const { events, order } = await eventsFor(connection, uids);
  const state = foldPart(events, order);
  await applyChanges(context, await linkDifferences(connection, loaded, new Set(uids), state));
}

interface Fold {
  /**
   * The issues, and other issues whose stored rows have values that belong to rows of these issues (`SHARED_VALUES`).
   */
  readonly all: ReadonlySet<string>;
  readonly state: MemoryState;
  /** The pairs of all tables except the tables of links. */
  readonly pairs: readonly RowPair[];
}

async function foldOf(
  connection: Connection,
  uids: readonly string[],
  wide?: readonly StoredEvent[],
): Promise<Fold> {
  const all = new Set(uids);
  for (;;) {
    const range = wide === undefined ? {} : { wide };
    const { events, order } = await eventsFor(connection, [...all], range);
    const state = foldPart(events, order);
    const pairs = await pairsFor(connection, all, state, events);
    // An event of another issue may have taken a row with shared values. Only a fold of both issues shows this.
    const others = await otherOwners(connection, pairs, all);
    if (others.length === 0) return { all, state, pairs };
    for (const uid of others) all.add(uid);
  }
}

/**
 * Gives issues whose short id or project must change a temporary short id first, since two issues may have to exchange
 * their short ids.
 */
async function freeShortIds(context: FoldContext, changes: readonly Change[]): Promise<void> {
  const uids = changes.flatMap((change) => {
    if (change.table !== "issue" || !("put" in change)) return [];
    const { uid, project_uid, short_id } = change.put;
    const known = context.loaded.issues.get(uid);
    if (known === undefined) return [];
    const isSame = known.row.short_id === short_id && known.row.project_uid === project_uid;
    return isSame ? [] : [uid];
  });
  await setShortIdsAside(context, uids);
}

async function pairsFor(
  connection: Connection,
  uids: ReadonlySet<string>,
  state: MemoryState,
  events: readonly StoredEvent[],
): Promise<readonly RowPair[]> {
  const issueOf = new Map(events.map((event) => [event.uid, event.issue_uid]));
  const pairs: RowPair[] = [];
  for (const table of FOLDED) {
    if (table === "link" || table === "waiting_link") continue;
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

/**
 * Returns issues outside of `uids` with a stored row that has the shared values of a folded row of these issues.
 * Considers only folded rows that differ from the stored ones.
 */
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
