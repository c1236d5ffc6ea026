import { statSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type SqliteDatabase from "better-sqlite3";
import { newThread } from "../base/thread.ts";
import type { CheckpointData } from "./checkpoint.ts";

/** Pages that the log may hold before they are written into the main file. */
export const LOG_PAGES = 4000;

/** A log that an attempt could not begin anew must grow by so much before the next one. */
const NEXT_PAGES = 1000;

/** Large writes that follow one another wait for a log of this length. */
const FULL_PAGES = 2 * LOG_PAGES;

/** Beside this module, as source or built. */
const FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "checkpoint.ts" : "checkpoint.cjs",
);

interface LogState {
  /** Pages in the log. */
  readonly log: number;
  /** Those of them that are in the main file too. */
  readonly checkpointed: number;
}

const NO_LOG: LogState = { log: 0, checkpointed: 0 };

/**
 * Has a thread write the log of a served SQLite database into the main file. SQLite would do it at the end of a commit,
 * so the daemon's thread would stop for it: for a quarter of a second after a large write. The thread begins with the
 * first log that is long enough.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #isHeld: () => boolean;
  readonly #state: SqliteDatabase.Statement<[], LogState>;
  #thread: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Told when the attempt under way has ended. */
  #ends: (() => void) | undefined;
  #attempt: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** The length of the log at the last attempt. */
  #attempted = 0;

  /** `isHeld`: whether the path still names the files that are open. */
  constructor(path: string, database: SqliteDatabase.Database, isHeld: () => boolean) {
    this.#path = path;
    this.#isHeld = isHeld;
    database.pragma("wal_autocheckpoint = 0");
    // No limit: at its limit SQLite would cut the log file within a commit, for tens of milliseconds. The thread cuts it.
    database.pragma("journal_size_limit = -1");
    this.#state = database.prepare("pragma wal_checkpoint(noop)");
  }

  /** After each commit, its own and those of other connections. Resolves when a log that was long is written back. */
  async writeBack(): Promise<void> {
    // An attempt under way may have begun before the commit.
    await this.#attempt;
    const isFree = this.#ends === undefined && !this.#isClosed;
    // At the path of a database that was replaced the thread would write our log into another file.
    if (isFree && this.#isLong() && this.#isHeld()) this.#ask();
    await this.#attempt;
  }

  isFull(): boolean {
    return this.#look().log >= FULL_PAGES;
  }

  #isLong(): boolean {
    const { log, checkpointed } = this.#look();
    if (log < this.#attempted) this.#attempted = 0;
    if (log < LOG_PAGES || log - checkpointed < NEXT_PAGES) return false;
    if (log < this.#attempted + NEXT_PAGES) return false;
    this.#attempted = log;
    return true;
  }

  #look(): LogState {
    try {
      return this.#state.get() ?? NO_LOG;
    } catch {
      // The commit stands: whoever reads or writes next is told what is wrong with the file.
      return NO_LOG;
    }
  }

  #ask(): void {
    try {
      this.#thread ??= this.#begin();
    } catch {
      // As a thread that fails: the system gives no more threads, or the file has just gone.
      return;
    }
    this.#attempt = new Promise((resolve) => {
      this.#ends = resolve;
    });
    this.#thread.postMessage("checkpoint");
  }

  #end(): void {
    this.#ends?.();
    this.#ends = undefined;
  }

  #begin(): Worker {
    const { dev, ino } = statSync(this.#path);
    const thread = newThread(FILE, { path: this.#path, dev, ino } satisfies CheckpointData);
    thread.on("message", () => this.#end());
    // The next long log begins another thread; without one the log only grows.
    thread.on("error", () => undefined);
    this.#ended = new Promise((resolve) =>
      thread.once("exit", () => {
        this.#thread = undefined;
        this.#end();
        resolve();
      }),
    );
    // A process that has nothing else to do may end.
    thread.unref();
    return thread;
  }

  /**
   * What is under way is finished. A log that readers kept long is written back first: SQLite would do it in the
   * daemon's thread when the last connection is closed, and nothing could end that wait.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#thread?.ref();
    await this.#attempt;
    const { log, checkpointed } = this.#look();
    if (log - checkpointed >= LOG_PAGES && this.#isHeld()) this.#ask();
    this.#thread?.ref();
    this.#thread?.postMessage("end");
    await this.#ended;
  }
}
