import { rowValueToJson } from "../base/bytes.ts";
import { canonicalJson, type JsonObject, type JsonValue, sameJson } from "../base/json.ts";
import type { KeyedMap, Maps } from "../domain/maps.ts";
import { type MemoryState, rowKey } from "../domain/memory.ts";
import { derivedOf } from "../domain/readiness.ts";
import { FOLDED, type FoldedTable, type Rows, TABLES } from "../domain/tables/tables.ts";
import { WholeFold } from "../domain/whole-fold.ts";
import type { Snapshot } from "../store/admin-store.ts";
import { isDamaged } from "../store/errors.ts";
import { ChainCheck } from "../store/log/chain-check.ts";
import { contentHash } from "../store/log/content-hash.ts";
import { openSnapshot } from "../store/open.ts";
import { withScratch } from "../store/scratch.ts";
import type { Target } from "./target.ts";

/** The first difference between the tables and the fold of the log. */
export interface Difference {
  readonly table: FoldedTable;
  readonly key: Readonly<Record<string, string>>;
  /** The column that differs; absent if the whole row is missing on one side. */
  readonly column?: string;
  readonly folded: JsonValue;
  readonly stored: JsonValue;
}

export interface StorageReport {
  readonly events: number;
  readonly rows: number;
  /** Faults that the database's own integrity check reports. */
  readonly integrity: readonly string[];
  readonly changedEvents: readonly string[];
  /** Places where the chain of the log is broken. */
  readonly brokenChain: readonly string[];
  readonly fold?: Difference;
  readonly derived?: Difference;
  /** The error of the first row that cannot be read. The comparison stops at that row. */
  readonly unreadable?: string;
}

/** Reports progress. `done` and `all` count the events of the log, which are read first, and the rows of the tables. */
export type Seen = (done: number, all: number) => void;

export async function examineDatabase(target: Target, seen?: Seen): Promise<StorageReport> {
  const snapshot = await openSnapshot(target);
  try {
    return await examineStorage(snapshot, seen);
  } finally {
    await snapshot.close();
  }
}

/**
 * Folds the whole log and compares the result with the tables. Only the fold writes the tables, so any difference is a
 * fault. Reads one snapshot and writes nothing; a daemon may go on writing.
 */
export async function examineStorage(snapshot: Snapshot, seen?: Seen): Promise<StorageReport> {
  const integrity = await snapshot.integrity();
  try {
    return { integrity, ...(await compareWhole(snapshot, seen)) };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return {
      events: 0,
      rows: 0,
      integrity,
      changedEvents: [],
      brokenChain: [],
      unreadable: error.message,
    };
  }
}

async function compareWhole(
  snapshot: Snapshot,
  seen: Seen | undefined,
): Promise<Omit<StorageReport, "integrity" | "unreadable">> {
  const step = seen === undefined ? () => undefined : stepper(seen, await snapshot.count());
  return await withScratch(async (scratch) => {
    const folded = await foldSnapshot(snapshot, scratch, step);
    const { state, events, changedEvents, brokenChain } = folded;
    const compared = { rows: 0 };
    const comparison = new Comparison(state, scratch);
    const fold = await compareTables(snapshot, comparison, compared, step);
    const derived = fold === undefined ? await compareDerived(snapshot, state) : undefined;
    return {
      events,
      rows: compared.rows,
      changedEvents,
      brokenChain,
      ...(fold === undefined ? {} : { fold }),
      ...(derived === undefined ? {} : { derived }),
    };
  });
}

/** Progress is reported about this many times, because a progress bar shows no finer steps. */
const STEPS = 200;

function stepper(seen: Seen, all: number): () => void {
  const every = Math.max(1, Math.floor(all / STEPS));
  let done = 0;
  return () => {
    done += 1;
    if (done % every === 0) seen(done, all);
  };
}

async function foldSnapshot(snapshot: Snapshot, maps: Maps, step: () => void) {
  const fold = new WholeFold(maps);
  const changedEvents: string[] = [];
  const brokenChain: string[] = [];
  const chain = new ChainCheck();
  for await (const gap of snapshot.rows("log_gap")) chain.add(gap);
  let events = 0;
  for await (const event of snapshot.rows("event")) {
    const payload = canonicalJson(event.payload as JsonObject);
    if (contentHash(event, payload) !== event.content_hash) changedEvents.push(event.uid);
    brokenChain.push(...faultsOf(chain.next(event)));
    fold.add(event);
    events += 1;
    step();
  }
  brokenChain.push(...faultsOf(chain.end(snapshot.head.chain)));
  const state = await fold.end(async (add) => {
    for await (const event of snapshot.rows("event")) add(event);
  });
  return { state, events, changedEvents, brokenChain };
}

function faultsOf(fault: string | undefined): readonly string[] {
  return fault === undefined ? [] : [fault];
}

async function compareTables(
  snapshot: Snapshot,
  comparison: Comparison,
  compared: { rows: number },
  step: () => void,
): Promise<Difference | undefined> {
  // `FOLDED` lists each table before the tables that refer to it. So a missing issue is reported instead of its labels.
  for (const table of FOLDED) {
    for await (const stored of snapshot.rows(table)) {
      compared.rows += 1;
      step();
      const found = comparison.meet(table, stored as unknown as Rows[typeof table]);
      if (found !== undefined) return found;
    }
    const missing = comparison.missing(table);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/**
 * Compares stored rows with folded rows. Call `meet` for every stored row of a table: it returns how the row differs.
 * Then call `missing`, which returns the first folded row that is not stored.
 */
export class Comparison {
  readonly #state: MemoryState;
  readonly #maps: Maps;
  /** The keys of the stored rows, by table. */
  readonly #met = new Map<FoldedTable, KeyedMap<1>>();

  constructor(state: MemoryState, maps: Maps) {
    this.#state = state;
    this.#maps = maps;
  }

  meet<T extends FoldedTable>(table: T, stored: Rows[T]): Difference | undefined {
    const met = this.#metOf(table);
    const key = rowKey(table, stored);
    const expected = met.has(key) ? undefined : this.#state.row(table, key);
    met.set(key, 1);
    if (expected === undefined)
      return { table, key: keyOf(table, stored), folded: null, stored: "a row" };
    return compareRow(table, expected, stored);
  }

  missing(table: FoldedTable): Difference | undefined {
    const met = this.#metOf(table);
    if (met.size === this.#state.count(table)) return undefined;
    for (const row of this.#state.rows(table))
      if (!met.has(rowKey(table, row)))
        return { table, key: keyOf(table, row), folded: "a row", stored: null };
    return undefined;
  }

  #metOf(table: FoldedTable): KeyedMap<1> {
    const known = this.#met.get(table) ?? this.#maps.map<1>();
    this.#met.set(table, known);
    return known;
  }
}

/** Compares only the columns that the fold computes. The fold does not compute local ids and derived columns. */
function compareRow<T extends FoldedTable>(
  table: T,
  folded: Rows[T],
  stored: Rows[T],
): Difference | undefined {
  const actual = columnsOf(stored);
  for (const [column, value] of columnsOf(folded)) {
    const other = actual.get(column) ?? null;
    if (sameJson(value, other)) continue;
    return { table, key: keyOf(table, folded), column, folded: value, stored: other };
  }
  return undefined;
}

async function compareDerived(
  snapshot: Snapshot,
  state: MemoryState,
): Promise<Difference | undefined> {
  for await (const stored of snapshot.rows("issue")) {
    const expected = derivedOf(state, stored, snapshot.timezone);
    const difference = compareColumns(expected, stored);
    if (difference !== undefined)
      return { table: "issue", key: { uid: stored.uid }, ...difference };
  }
  return undefined;
}

function compareColumns(
  expected: ReturnType<typeof derivedOf>,
  stored: ReturnType<typeof derivedOf>,
): (Pick<Difference, "column" | "folded" | "stored"> & { readonly column: string }) | undefined {
  for (const column of Object.keys(expected) as (keyof typeof expected)[]) {
    const folded = expected[column];
    if (folded !== stored[column]) return { column, folded, stored: stored[column] };
  }
  return undefined;
}

function keyOf<T extends FoldedTable>(table: T, row: Rows[T]): Readonly<Record<string, string>> {
  const columns = columnsOf(row);
  return Object.fromEntries(
    TABLES[table].key.map((column) => [column, textOf(columns.get(column))]),
  );
}

function columnsOf(row: object): ReadonlyMap<string, JsonValue> {
  return new Map(Object.entries(row).map(([column, value]) => [column, rowValueToJson(value)]));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function describeDifference(difference: Difference): string {
  const { table, key, column, folded, stored } = difference;
  const place = `${table} ${Object.values(key).join(" ")}${column === undefined ? "" : `, ${column}`}`;
  return `${place}: should be ${shown(folded)}, is ${shown(stored)}`;
}

const MAX_SHOWN = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
