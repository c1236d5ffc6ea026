import type { Difference } from "../domain/compare-rows.ts";
import { FOLDED } from "../domain/tables/tables.ts";
import type { Snapshot } from "../store/admin-store.ts";
import { isDamaged } from "../store/errors.ts";
import { openSnapshot } from "../store/open.ts";
import { withScratch } from "../store/scratch.ts";
import { CheckpointWriter } from "./examine/checkpoint.ts";
import type { Examination } from "./examine/examination.ts";
import { examineIssues } from "./examine/issues.ts";
import { examineLog } from "./examine/log.ts";
import { examineRest } from "./examine/rest.ts";
import type { Target } from "./target.ts";

export interface StorageReport {
  readonly events: number;
  readonly rows: number;
  /** How many issues were not folded again, because nothing has changed since an earlier run verified them. */
  readonly unchanged?: number;
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
export type ReportProgress = (done: number, all: number) => void;

/**
 * Options of `examineStorage`. With `quick`, rows that an earlier run has verified are not checked again if their
 * digests are the same. With `keeps`, this run stores the digests of what it verifies.
 */
export interface ExamineOptions {
  readonly quick?: boolean;
  readonly keeps?: boolean;
}

export async function examineDatabase(
  target: Target,
  seen?: ReportProgress,
  { quick = false, keeps = false }: ExamineOptions = {},
): Promise<StorageReport> {
  const snapshot = await openSnapshot(target);
  const writer = keeps ? new CheckpointWriter(target) : undefined;
  try {
    return await examineStorage(snapshot, seen, { trusts: quick, writer });
  } finally {
    await writer?.close();
    await snapshot.close();
  }
}

interface CheckpointUse {
  readonly trusts: boolean;
  readonly writer: CheckpointWriter | undefined;
}

/**
 * Folds the log and compares the result with the tables, issue by issue, so that a database of any size needs little
 * memory. Only the fold writes the tables, so any difference is a fault. Reads one snapshot; a daemon may go on
 * writing.
 */
export async function examineStorage(
  snapshot: Snapshot,
  seen?: ReportProgress,
  memory: CheckpointUse = { trusts: false, writer: undefined },
): Promise<StorageReport> {
  const integrity = await snapshot.integrity();
  try {
    return { integrity, ...(await compareAll(snapshot, seen, memory)) };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const { message } = await withPlace(snapshot, error);
    const nothing = { events: 0, rows: 0, changedEvents: [], brokenChain: [] };
    return { ...nothing, integrity, unreadable: message };
  }
}

async function compareAll(
  snapshot: Snapshot,
  seen: ReportProgress | undefined,
  { trusts, writer }: CheckpointUse,
): Promise<Omit<StorageReport, "integrity" | "unreadable">> {
  const all = seen === undefined ? 0 : await snapshot.count(["event", ...FOLDED]);
  return await withScratch(async (scratch) => {
    const examination: Examination = {
      ...{ snapshot, scratch, trusts },
      seed: String(snapshot.schemaVersion),
      keep: writer === undefined ? undefined : async (verified) => await writer.keep(verified),
      step: seen === undefined ? () => undefined : stepReporter(seen, all),
    };
    const { rest, ...log } = await examineLog(examination);
    const others = await examineRest(examination, rest);
    const { fold } = others;
    if (fold !== undefined) return { ...log, rows: others.rows, fold };
    const { rows, unchanged, ...differences } = await examineIssues(examination, others.keys);
    return {
      ...log,
      rows: others.rows + rows,
      ...(unchanged === 0 ? {} : { unchanged }),
      ...differences,
    };
  });
}

/** Reads the tables row by row to find the row that cannot be read, and returns an error that names it. */
async function withPlace(snapshot: Snapshot, error: Error): Promise<Error> {
  try {
    for (const table of ["event", ...FOLDED] as const)
      for await (const _ of snapshot.rows(table)) continue;
    return error;
  } catch (named) {
    if (!isDamaged(named)) throw named;
    return named;
  }
}

/** Progress is reported about this many times, because a progress bar shows no finer steps. */
const STEPS = 200;

function stepReporter(seen: ReportProgress, all: number): (count: number) => void {
  const every = Math.max(1, Math.floor(all / STEPS));
  let done = 0;
  return (count) => {
    for (let at = 0; at < count; at += 1) {
      done += 1;
      if (done % every === 0) seen(done, all);
    }
  };
}
