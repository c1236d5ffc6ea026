import { canonicalJson, type JsonObject } from "../base/json.ts";
import { Comparison, type Difference } from "../domain/compare-rows.ts";
import type { Maps } from "../domain/maps.ts";
import type { MemoryState } from "../domain/memory.ts";
import { derivedOf } from "../domain/readiness.ts";
import { FOLDED, type Rows } from "../domain/tables/tables.ts";
import { WholeFold } from "../domain/whole-fold.ts";
import type { Snapshot } from "../store/admin-store.ts";
import { isDamaged } from "../store/errors.ts";
import { ChainCheck } from "../store/log/chain-check.ts";
import { contentHash } from "../store/log/content-hash.ts";
import { openSnapshot } from "../store/open.ts";
import { withScratch } from "../store/scratch.ts";
import type { Target } from "./target.ts";

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
