import { statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/** The thread that writes a SQLite log into the main file, since SQLite does that synchronously: `Checkpoints`. */
export interface CheckpointData {
  readonly path: string;
  /** The file that the daemon has open. */
  readonly dev: number;
  readonly ino: number;
}

/** A longer file is cut once all that it holds is in the main file. */
const LOG_BYTES = 16 * 1024 * 1024;

/** Writes are refused while this thread waits for readers, and the daemon's writer asks again every 20 ms. */
const BUSY_MS = 20;

const { path, dev, ino } = workerData as CheckpointData;
const database = new Database(path, { fileMustExist: true, timeout: BUSY_MS });

// Make sure that this is still the daemon's file before the first statement, which opens the write-ahead log: that log
// must not be written into another database that was put in the file's place. Opening alone does not touch the log.
if (isDaemons()) serve();
else database.close();

function isDaemons(): boolean {
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
 * The first step keeps nobody waiting and writes nearly all. The second one keeps writes waiting for the little that
 * was committed meanwhile, so that the log begins anew however many writes there are.
 */
function writeBack(): void {
  database.pragma("wal_checkpoint(passive)");
  const isLong = statSync(`${path}-wal`).size > LOG_BYTES;
  database.pragma(isLong ? "wal_checkpoint(truncate)" : "wal_checkpoint(restart)");
}
