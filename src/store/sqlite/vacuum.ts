import { workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/**
 * The input of the thread that runs VACUUM (see `SqliteErasure.rewrite`), which would block the daemon's own thread.
 */
export interface VacuumData {
  readonly path: string;
}

/** The longest wait for a transaction of the daemon's writer or for another program's write. */
const BUSY_MS = 10_000;

const { path } = workerData as VacuumData;
const database = new Database(path, { fileMustExist: true, timeout: BUSY_MS });
try {
  database.pragma("synchronous = FULL");
  database.pragma("wal_autocheckpoint = 0");
  database.exec("vacuum");
  // The log is now as large as the database; emptying it here saves the daemon's thread that work. Do not wait for a
  // reader that prevents it, since other writes wait for this thread.
  database.pragma("wal_checkpoint(PASSIVE)");
  database.pragma("busy_timeout = 0");
  database.pragma("wal_checkpoint(TRUNCATE)");
} finally {
  database.close();
}
