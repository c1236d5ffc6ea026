import { workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/** The thread that writes a SQLite file anew, since VACUUM is synchronous: `SqliteErasure.rewrite`. */
export interface VacuumData {
  readonly path: string;
}

/** A batch of the daemon's own writer, or another program's write, is waited for so long. */
const BUSY_MS = 10_000;

const { path } = workerData as VacuumData;
const database = new Database(path, { fileMustExist: true, timeout: BUSY_MS });
try {
  database.pragma("synchronous = FULL");
  database.pragma("wal_autocheckpoint = 0");
  database.exec("vacuum");
  // The log is now as large as the database: emptied here, it never costs the daemon's own thread anything. A reader
  // may keep it back, and is not waited for while other writes wait for this thread.
  database.pragma("wal_checkpoint(PASSIVE)");
  database.pragma("busy_timeout = 0");
  database.pragma("wal_checkpoint(TRUNCATE)");
} finally {
  database.close();
}
