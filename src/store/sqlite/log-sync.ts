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

  /** `path` is that of the main file. The log must exist. */
  constructor(path: string, writer: SqliteDatabase.Database, syncFile = syncContent) {
    this.#syncFile = syncFile;
    // Windows syncs only files that are open for writing.
    this.#log = openSync(`${path}-wal`, "r+");
    // SQLite then leaves the sync of a commit to us. It still syncs the log before it writes pages of it into the main
    // file, and the header of a log that begins again.
    writer.pragma("synchronous = NORMAL");
  }

  /** The sync of the last commit, while it runs. It rejects if the disk reports a fault. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Resolves when all commits so far are on the disk. Call it after a commit, and not again before it has ended. */
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
