import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeRecord } from "../client/record.ts";

/** The record that a running daemon writes for clients and for `svc daemon status` (facts cli-and-config 4.3). */
export interface AnnouncedRecord extends RuntimeRecord {
  readonly service: "svc";
  readonly metadata: {
    readonly db_path: string;
    readonly failure?: string;
    /** Copy of the database from before this daemon upgraded its tables. */
    readonly kept_before_upgrade?: string;
    readonly [key: `config_${string}_source`]: string;
  };
}

/** Writes the record atomically. Call only once the listener accepts connections. */
export function writeRecord(runtimeDir: string, record: AnnouncedRecord): void {
  const path = recordPath(runtimeDir, record.pid);
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Adds to the record why the daemon is stopping; it may still finish requests. */
export function markRecord(runtimeDir: string, pid: number, failure: string): void {
  const path = recordPath(runtimeDir, pid);
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as AnnouncedRecord;
    writeRecord(runtimeDir, { ...record, metadata: { ...record.metadata, failure } });
  } catch {
    // The folder may have been deleted with the database; the log has the reason too.
  }
}

export function removeRecord(runtimeDir: string, pid: number): void {
  rmSync(recordPath(runtimeDir, pid), { force: true });
}

export function recordPath(runtimeDir: string, pid: number): string {
  return join(runtimeDir, `daemon.${pid}.json`);
}
