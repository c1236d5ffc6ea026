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
  // Otherwise the daemon's own thread would copy the whole log into the file.
  database.pragma("wal_checkpoint(PASSIVE)");
} finally {
  database.close();
}
