import { systemClock } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import { Batch, type BatchOptions, type Ended, type Outcome, type Work } from "./batch.ts";
import { isBusy, RETRY_MS } from "./begin.ts";
import type { Tx, WriteGuard } from "./types.ts";
import { WriteQueue } from "./write-queue.ts";

/** Works that share one commit. */
const BATCH = 64;

/** On SQLite a batch holds the event loop, so no work begins in one that has taken so long. */
const BATCH_MS = 10;

export interface WriterOptions extends BatchOptions {
  /** Called after a commit that added events, with the last one's id. */
  readonly committed: (lastEventId: number) => void;
}

interface Waiting extends Work {
  readonly settle: (outcome: Outcome) => void;
  refuse(error: Error): void;
}

/** A turn in which nothing else of this store writes. */
interface Turn {
  readonly turn: () => Promise<void>;
  /** Another connection writes in it. */
  readonly isLent: boolean;
  refuse(error: Error): void;
}

/**
 * Group commit: the works that wait together share one transaction and one fsync, each behind the first in a savepoint
 * of its own, so that one that fails does not sink the others. A batch begins in the check phase of the event loop, after all
 * requests of one poll have been read. Nobody hears of a work before its commit.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #queue: WriteQueue<Waiting | Turn>;
  #running: Promise<void> | undefined;
  /** Whether a write may be kept waiting by what is under way. */
  #occupied = false;
  #closed = false;
  /** Resolves when the log of the last turn is in the main file. */
  #writtenBack: Promise<void> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#queue = new WriteQueue(options.clock);
  }

  async write<T>(work: (tx: Tx) => Promise<T>, guard?: WriteGuard): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome): void =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#push({ work, guard, settle, refuse: reject });
    });
  }

  /**
   * Runs `turn` while no write of this store is under way, and keeps those that come waiting until it has ended. The
   * files are looked at before and after it, as for each write. Where it lends the turn to another connection
   * (`isLent`), it does not wait until the log of the last turn is written back.
   */
  async pauseWrites<T>(turn: () => Promise<T>, { isLent = false } = {}): Promise<T> {
    const { backend } = this.#options;
    const kept = async (): Promise<T> => {
      backend.requireHeld();
      const value = await turn();
      backend.requireHeld();
      return value;
    };
    return await new Promise<T>((resolve, reject) => {
      const run = async (): Promise<void> => await kept().then(resolve, reject);
      this.#push({ turn: run, isLent, refuse: reject });
    });
  }

  #push(entry: Waiting | Turn): void {
    if (this.#closed) {
      const message = "the store is closing";
      return entry.refuse(new SvcError("unavailable", { reason: "closing" }, { message }));
    }
    this.#queue.push(entry);
    if (this.#occupied) this.#queue.count();
    this.#running ??= this.#run();
  }

  /** Works that wait are still done; new ones are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#queue.isEmpty) {
      await new Promise<void>((next) => setImmediate(next));
      this.#occupied = true;
      const { first } = this.#queue;
      if (first !== undefined && "turn" in first) await this.#turn();
      else await this.#flush();
      this.#occupied = false;
      if (!this.#queue.isEmpty) this.#queue.count();
    }
    this.#queue.stopCounting();
    this.#running = undefined;
  }

  async #turn(): Promise<void> {
    const entry = this.#queue.take();
    this.#queue.count();
    if (entry === undefined || !("turn" in entry)) return;
    if (!entry.isLent) await this.#writtenBack;
    await entry.turn();
    const { backend } = this.#options;
    this.#writtenBack = backend.writeBack();
    // A lent turn may begin meanwhile, as long as the log does not grow without end.
    if (backend.isLogFull()) await this.#writtenBack;
  }

  async #flush(): Promise<void> {
    const works: Waiting[] = [];
    let outcomes: readonly Outcome[];
    let ended: Ended | undefined;
    // A commit meanwhile would stop the daemon's thread until the disk has taken what the turn wrote.
    await this.#writtenBack;
    try {
      const batch = await this.#begin();
      ended = await batch.run(this.#works(works));
      ({ outcomes } = ended);
      this.#options.backend.requireHeld();
    } catch (error) {
      // Whatever kept one write from beginning keeps those behind it too; a first write that fails is alone.
      if (works.length === 0) works.push(...this.#works([]));
      outcomes = works.map(() => ({ error }));
    }
    works.forEach(({ settle }, at) =>
      settle(outcomes[at] ?? { error: new Error("a work without an outcome") }),
    );
    if (ended?.lastEventId !== undefined) this.#options.committed(ended.lastEventId);
    if (ended?.isCommitted === true) void this.#options.backend.writeBack();
  }

  /** Another program may hold the lock for as long as it likes: who waits here is told so in time. */
  async #begin(): Promise<Batch> {
    const { backend } = this.#options;
    if (backend.dialect === "postgres") this.#queue.count();
    for (;;) {
      try {
        return await Batch.begin(this.#options);
      } catch (error) {
        if (!isBusy(error) || this.#queue.isEmpty) throw error;
      }
      this.#queue.count();
      // Real time: a test's clock stands still while another process holds the lock.
      await systemClock.sleep(RETRY_MS);
    }
  }

  /** What one transaction carries out: each is taken when its turn comes, and is in `taken` from then on. */
  *#works(taken: Waiting[]): Generator<Waiting> {
    const { backend, clock } = this.#options;
    const begun = clock.nowMs();
    while (taken.length < BATCH) {
      const { first } = this.#queue;
      if (first === undefined || "turn" in first) return;
      if (backend.dialect === "sqlite" && clock.nowMs() - begun >= BATCH_MS) return;
      this.#queue.take();
      taken.push(first);
      yield first;
    }
  }
}
