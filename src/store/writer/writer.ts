import { systemClock } from "../../base/clock.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { SvcError } from "../../contract/errors.ts";
import {
  type BusyReason,
  busyError,
  isDisconnected,
  isOutcomeUnknown,
  outcomeUnknown,
} from "../errors.ts";
import type { Tx, WriteGuard } from "../types/store.ts";
import { isBusy, RETRY_MS } from "../write-lock/begin.ts";
import { Batch, type BatchOptions, type BatchResult, type Outcome, type Work } from "./batch.ts";
import { WriteQueue } from "./write-queue.ts";

/** The maximum number of writes that share one commit. */
const BATCH = 64;

/** The time after which no further write begins in a batch, since SQLite blocks the event loop during the batch. */
const BATCH_MS = 10;

export interface WriterOptions extends BatchOptions {
  /** Called after a commit that added events, with the id of the last one. */
  readonly committed: (lastEventId: number) => void;
}

interface WaitingWrite extends Work {
  readonly settle: (outcome: Outcome) => void;
  refuse(error: Error): void;
}

/** Work from `pauseWrites`, during which this store writes nothing else. */
interface WaitingPause {
  readonly whilePaused: () => Promise<void>;
  /** Whether another connection writes during this work. */
  readonly isLent: boolean;
  refuse(error: Error): void;
}

/**
 * Group commit: waiting writes share one transaction and one fsync. Each write after the first runs in a savepoint, so
 * that its failure undoes nothing else. A batch begins in the check phase of the event loop, after all requests of one
 * poll are read. No write is acknowledged before its commit.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #queue: WriteQueue<WaitingWrite | WaitingPause>;
  #running: Promise<void> | undefined;
  /** Why a queued write has to wait; undefined while nothing delays it. */
  #waitsFor: BusyReason | undefined;
  #closed = false;
  /**
   * Resolves when the checkpoint after the last `pauseWrites` has ended. A checkpoint copies the write-ahead log into
   * the main file.
   */
  #writtenBack: Promise<void> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#queue = new WriteQueue(options.clock, () => busyError(this.#reason));
  }

  async write<T>(work: (tx: Tx) => Promise<T>, guard?: WriteGuard): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome): void =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#push({ work, guard, settle, refuse: reject });
    });
  }

  /**
   * Runs `work` while no write of this store runs. Until `work` ends, new writes wait, or are refused with `busy` after
   * some time. The database files are checked before and after `work`, as for each write. Then a checkpoint begins.
   * Writes wait for its end only if the log has become too long. The next call of `pauseWrites` waits for it too,
   * unless that call has `isLent`: then another connection writes.
   */
  async pauseWrites<T>(work: () => Promise<T>, { isLent = false } = {}): Promise<T> {
    const { backend } = this.#options;
    const runHeld = async (): Promise<T> => {
      backend.requireHeld();
      const value = await work().catch((error: unknown) => {
        if (isOutcomeUnknown(error)) backend.endInDoubt();
        throw error;
      });
      try {
        backend.requireHeld();
      } catch (fault) {
        throw outcomeUnknown(fault);
      }
      return value;
    };
    return await new Promise<T>((resolve, reject) => {
      const run = async (): Promise<void> => await runHeld().then(resolve, reject);
      this.#push({ whilePaused: run, isLent, refuse: reject });
    });
  }

  #push(entry: WaitingWrite | WaitingPause): void {
    if (this.#closed) {
      const message = "the store is closing";
      return entry.refuse(new SvcError("unavailable", { reason: "closing" }, { message }));
    }
    this.#queue.push(entry);
    if (this.#waitsFor !== undefined) this.#queue.count();
    this.#running ??= this.#run();
  }

  /** Finishes the waiting writes and the work of `pauseWrites`. New writes are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#queue.isEmpty) {
      await yieldToLoop();
      this.#waitsFor = "queue";
      const { first } = this.#queue;
      if (first !== undefined && "whilePaused" in first) await this.#runPause();
      else await this.#flush();
      this.#waitsFor = undefined;
      if (!this.#queue.isEmpty) this.#queue.count();
    }
    this.#queue.stopCounting();
    this.#running = undefined;
  }

  /** Why the queue does not move. If the database has not answered a statement, that explains every other wait. */
  get #reason(): BusyReason {
    return this.#options.backend.isWriterLate ? "database" : (this.#waitsFor ?? "queue");
  }

  async #runPause(): Promise<void> {
    const entry = this.#queue.take();
    this.#queue.count();
    if (entry === undefined || !("whilePaused" in entry)) return;
    this.#waitsFor = "bulk";
    if (!entry.isLent) await this.#writtenBack;
    await entry.whilePaused();
    const { backend } = this.#options;
    this.#writtenBack = backend.writeBack();
    // Usually the next work with `isLent` does not wait for the checkpoint. It must wait if the log has become too
    // long.
    if (backend.isLogFull()) await this.#writtenBack;
  }

  async #flush(): Promise<void> {
    const works: WaitingWrite[] = [];
    let outcomes: readonly Outcome[];
    let ended: BatchResult | undefined;
    try {
      const batch = await this.#begin();
      ended = await batch.run(this.#takeWrites(works));
      ({ outcomes } = ended);
    } catch (error) {
      // The writes that fail:
      // - If no transaction could begin, the writes that it would have contained fail.
      // - If the first write failed, `works` contains only this write, and the others stay in the queue.
      // - If a write ended the whole transaction, all writes that it contained fail.
      if (works.length === 0) works.push(...this.#takeWrites([]));
      outcomes = works.map(() => ({ error }));
    }
    works.forEach(({ settle }, at) =>
      settle(outcomes[at] ?? { error: new Error("a work without an outcome") }),
    );
    if (ended?.lastEventId !== undefined) this.#options.committed(ended.lastEventId);
    if (ended?.isCommitted === true) void this.#options.backend.writeBack();
  }

  /**
   * Begins a transaction. Tries again while another program has the lock. If the session turned out to be lost, tries
   * once more, since nothing was written on it. Meanwhile the queue counts ticks, so that a write that waits too long
   * is refused.
   */
  async #begin(): Promise<Batch> {
    const { backend } = this.#options;
    if (backend.dialect === "postgres") this.#queue.count();
    this.#waitsFor = "lock";
    for (let losses = 0; ; ) {
      try {
        const batch = await Batch.begin(this.#options);
        this.#waitsFor = "queue";
        return batch;
      } catch (error) {
        if (this.#queue.isEmpty) throw error;
        if (isDisconnected(error) && losses++ === 0) continue;
        if (!isBusy(error)) throw error;
      }
      this.#queue.count();
      // Real time: a test's fake clock does not advance while another process has the lock.
      await systemClock.sleep(RETRY_MS);
    }
  }

  /** The writes of one transaction. Each moves from the queue to `taken` when it begins. */
  *#takeWrites(taken: WaitingWrite[]): Generator<WaitingWrite> {
    const { backend, clock } = this.#options;
    const begun = clock.nowMs();
    while (taken.length < BATCH) {
      const { first } = this.#queue;
      if (first === undefined || "whilePaused" in first) return;
      if (backend.dialect === "sqlite" && clock.nowMs() - begun >= BATCH_MS) return;
      this.#queue.take();
      taken.push(first);
      yield first;
    }
  }
}
