import { statSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type SqliteDatabase from "better-sqlite3";
import { newThread } from "../../base/thread.ts";
import type { CheckpointData } from "./checkpoint.ts";

/** A write-ahead log of this many pages or more is written into the main file. */
export const LOG_PAGES = 4000;

/**
 * The next checkpoint is tried only when the log has grown by this many pages since the last try, and when at least
 * this many pages of the log are not in the main file yet.
 */
const NEXT_PAGES = 1000;

/** If the log has this many pages or more, the next large write waits until the log is in the main file. */
const FULL_PAGES = 2 * LOG_PAGES;

const FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "checkpoint.ts" : "checkpoint.cjs",
);

interface LogState {
  readonly log: number;
  /** The number of pages of the log that are already in the main file. */
  readonly checkpointed: number;
}

const NO_LOG: LogState = { log: 0, checkpointed: 0 };

/**
 * Lets a thread write the write-ahead log of a served SQLite database into the main file. SQLite itself would do this
 * at the end of a commit and block the daemon for up to a quarter of a second. The thread starts when the log is long
 * enough for the first time.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #isHeld: () => boolean;
  readonly #state: SqliteDatabase.Statement<[], LogState>;
  #thread: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Resolves `#attempt`. Undefined while no checkpoint runs. */
  #ends: (() => void) | undefined;
  #attempt: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** The length of the log, in pages, when the last checkpoint was tried. */
  #attempted = 0;

  /** `isHeld` returns whether the path still leads to the open files. */
  constructor(path: string, database: SqliteDatabase.Database, isHeld: () => boolean) {
    this.#path = path;
    this.#isHeld = isHeld;
    database.pragma("wal_autocheckpoint = 0");
    // With a limit, SQLite would truncate the log within a commit, which takes tens of milliseconds. The thread
    // truncates the log instead.
    database.pragma("journal_size_limit = -1");
    this.#state = database.prepare("pragma wal_checkpoint(noop)");
  }

  /**
   * Requests a checkpoint if the log is long, and resolves when the checkpoint has ended. Must be called after each
   * commit, including commits of other processes.
   */
  async writeBack(): Promise<void> {
    // A checkpoint that already runs may have begun before this commit. So wait for it, then check the length of the
    // log again.
    await this.#attempt;
    const isFree = this.#ends === undefined && !this.#isClosed;
    // Request no checkpoint if the database was replaced: the thread would write our log into the file that is now at
    // the path.
    if (isFree && this.#isLong() && this.#isHeld()) this.#requestCheckpoint();
    await this.#attempt;
  }

  /** Writes the log into the main file, however long the log is, and resolves when that has ended. */
  async writeAll(): Promise<void> {
    await this.#attempt;
    if (this.#ends === undefined && !this.#isClosed && this.#isHeld()) this.#requestCheckpoint();
    await this.#attempt;
  }

  isFull(): boolean {
    return this.#readState().log >= FULL_PAGES;
  }

  #isLong(): boolean {
    const { log, checkpointed } = this.#readState();
    if (log < this.#attempted) this.#attempted = 0;
    if (log < LOG_PAGES || log - checkpointed < NEXT_PAGES) return false;
    if (log < this.#attempted + NEXT_PAGES) return false;
    this.#attempted = log;
    return true;
  }

  #readState(): LogState {
    try {
      return this.#state.get() ?? NO_LOG;
    } catch {
      // The commit was valid although the log cannot be read now. The next read or write reports the fault of the file.
      return NO_LOG;
    }
  }

  #requestCheckpoint(): void {
    try {
      this.#thread ??= this.#begin();
    } catch {
      // The thread could not start: the system allows no further thread, or the file has just been removed. The next
      // commit retries.
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
    // An error ends the thread. The next commit that finds a long log starts another thread. Until then the log only
    // grows.
    thread.on("error", () => undefined);
    this.#ended = new Promise((resolve) =>
      thread.once("exit", () => {
        this.#thread = undefined;
        this.#end();
        resolve();
      }),
    );
    thread.unref();
    return thread;
  }

  /**
   * Ends the thread, after a last checkpoint if readers have kept the log long. Without this checkpoint, SQLite would
   * write the log into the main file when the last connection closes: on the daemon's thread, and without a way to
   * interrupt it.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#thread?.ref();
    await this.#attempt;
    const { log, checkpointed } = this.#readState();
    if (log - checkpointed >= LOG_PAGES && this.#isHeld()) this.#requestCheckpoint();
    this.#thread?.ref();
    this.#thread?.postMessage("end");
    await this.#ended;
  }
}
