import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type SqliteDatabase from "better-sqlite3";

/** Syncs the content of an open file. */
export type SyncFile = (file: number) => Promise<void>;

const syncContent: SyncFile = promisify(fdatasync);

/**
 * Syncs the write-ahead log of a served SQLite database after each commit, on a thread of Node's pool. SQLite itself
 * would do this within the commit and block the daemon: for 10 to 60 ms while other threads or programs write to the
 * disk.
 */
export class LogSync {
  readonly #log: number;
  readonly #syncFile: SyncFile;
  #running: Promise<void> | undefined;

  /** `path` is the path of the main file. The log must exist. */
  constructor(path: string, writer: SqliteDatabase.Database, syncFile = syncContent) {
    this.#syncFile = syncFile;
    // Windows syncs only files that are open for writing.
    this.#log = openSync(`${path}-wal`, "r+");
    // From now on this class syncs the log after a commit. SQLite itself still syncs the log before it writes pages of
    // the log into the main file, and still syncs the header of the log when the log restarts.
    writer.pragma("synchronous = NORMAL");
  }

  /** The sync of the last commit, while it runs. It rejects if the disk reports a fault. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /**
   * Resolves when all commits so far are on the disk. Call this after a commit, and not again before this call has
   * ended.
   */
  async sync(): Promise<void> {
    this.#running = this.#syncFile(this.#log);
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  close(): void {
    closeSync(this.#log);
  }
}
