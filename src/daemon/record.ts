import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "./listeners.ts";

/** What a running daemon tells clients that look for it (facts cli-and-config 4.3). */
export interface RuntimeRecord {
  readonly pid: number;
  readonly network: Endpoint["network"];
  readonly address: string;
  readonly service: "svc";
  readonly version: string;
  readonly started_at: string;
  readonly metadata: {
    readonly db_path: string;
    readonly [key: `config_${string}_source`]: string;
  };
}

/** Written whole or not at all, and only once the listener accepts: who reads it may connect. */
export function writeRecord(runtimeDir: string, record: RuntimeRecord): void {
  const path = recordPath(runtimeDir, record.pid);
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export function removeRecord(runtimeDir: string, pid: number): void {
  rmSync(recordPath(runtimeDir, pid), { force: true });
}

export function recordPath(runtimeDir: string, pid: number): string {
  return join(runtimeDir, `daemon.${pid}.json`);
}
