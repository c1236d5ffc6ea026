import { statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/**
 * The input of the checkpoint thread. The thread writes SQLite's write-ahead log into the main file, which would block
 * the daemon's own thread.
 */
export interface CheckpointData {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
}

/** A write-ahead log longer than this is truncated once all of it is in the main file. */
const LOG_BYTES = 16 * 1024 * 1024;

/**
 * How long a checkpoint waits for a lock (SQLite's `busy_timeout`). Writes are refused while it waits; the daemon's
 * writer tries again every 20 ms.
 */
const BUSY_MS = 20;

const { path, dev, ino } = workerData as CheckpointData;
const database = new Database(path, { fileMustExist: true, timeout: BUSY_MS });

// Check that the path still leads to the daemon's file before the first statement. That statement opens the write-ahead
// log, which must not be written into another database at the same path. Opening the database alone does not touch the
// log.
if (isDaemonsFile()) serve();
else database.close();

function isDaemonsFile(): boolean {
  const found = statSync(path);
  return found.dev === dev && found.ino === ino;
}

function serve(): void {
  database.pragma("synchronous = FULL");
  parentPort?.on("message", (message: "checkpoint" | "end") => {
    if (message === "checkpoint") {
      writeBack();
      parentPort?.postMessage("done");
    } else {
      database.close();
      parentPort?.close();
    }
  });
}

/**
 * Writes the log into the main file. The passive checkpoint blocks nobody and writes nearly everything. The second
 * checkpoint blocks writes while it writes the few pages that were committed during the first one. So SQLite can
 * restart the log even under constant writes.
 */
function writeBack(): void {
  database.pragma("wal_checkpoint(passive)");
  const isLong = statSync(`${path}-wal`).size > LOG_BYTES;
  database.pragma(isLong ? "wal_checkpoint(truncate)" : "wal_checkpoint(restart)");
}
