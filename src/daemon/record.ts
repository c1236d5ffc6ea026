import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeRecord } from "../client/record.ts";

/** What a running daemon tells clients that look for it (facts cli-and-config 4.3), with what people ask of it. */
export interface AnnouncedRecord extends RuntimeRecord {
  readonly service: "svc";
  readonly metadata: {
    readonly db_path: string;
    readonly failure?: string;
    /** The database as it was before this daemon upgraded its tables. */
    readonly kept_before_upgrade?: string;
    readonly [key: `config_${string}_source`]: string;
  };
}

/** Written whole or not at all, and only once the listener accepts: who reads it may connect. */
export function writeRecord(runtimeDir: string, record: AnnouncedRecord): void {
  const path = recordPath(runtimeDir, record.pid);
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Says in the record why the daemon ends: requests under way may take a while yet. */
export function markRecord(runtimeDir: string, pid: number, failure: string): void {
  const path = recordPath(runtimeDir, pid);
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as AnnouncedRecord;
    writeRecord(runtimeDir, { ...record, metadata: { ...record.metadata, failure } });
  } catch {
    // The log says it too; the folder may have been deleted with the database.
  }
}

export function removeRecord(runtimeDir: string, pid: number): void {
  rmSync(recordPath(runtimeDir, pid), { force: true });
}

export function recordPath(runtimeDir: string, pid: number): string {
  return join(runtimeDir, `daemon.${pid}.json`);
}
