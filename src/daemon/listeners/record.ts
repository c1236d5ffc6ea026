import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CertificateState, RecordedListener, RuntimeRecord } from "../../client/record.ts";
import type { Mode } from "../../domain/access/modes.ts";
import type { ListenerDescriptor } from "../listener.ts";
import type { Certificate } from "./certificate.ts";

/**
 * The content of a daemon's record file. Clients and `svc daemon status` find a running daemon by this file
 * (docs/contract/command-line.md#43-the-record-of-a-daemon).
 */
export interface AnnouncedRecord extends RuntimeRecord {
  readonly service: "svc";
  readonly metadata: {
    readonly db_path: string;
    readonly failure?: string;
    /** The copy of the database that was made before this daemon upgraded the tables. */
    readonly kept_before_upgrade?: string;
    readonly tls?: CertificateState;
    readonly mode: Mode;
    readonly listeners: readonly RecordedListener[];
    readonly own_socket?: string;
    readonly web_origin?: string;
    readonly web_origin_stable?: boolean;
    readonly [key: `config_${string}_source`]: string;
  };
}

export function recordedListener(
  { kind, address, origin, trustedHeader, proxyUser }: ListenerDescriptor,
  https: boolean,
): RecordedListener {
  return {
    address: kind === "socket" ? `unix://${address}` : address,
    kind,
    https,
    ...(origin === undefined ? {} : { origin }),
    ...(trustedHeader === undefined ? {} : { trusted_header: trustedHeader }),
    ...(proxyUser === undefined ? {} : { proxy_user: proxyUser }),
  };
}

export function certificateState(
  { leaf: certificate, validUntil: valid_until }: Certificate,
  read_at: string,
): CertificateState {
  return { certificate, valid_until, read_at };
}

/**
 * Writes the record file of this daemon. The rename keeps clients from reading an incomplete file. Call this only when
 * the listener accepts connections.
 */
export function writeRecord(runtimeDir: string, record: AnnouncedRecord): void {
  const path = recordPath(runtimeDir, record.pid);
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Changes the record file of a daemon. Does nothing if the file does not exist. */
export function changeRecord(
  runtimeDir: string,
  pid: number,
  change: (record: AnnouncedRecord) => AnnouncedRecord,
): void {
  const path = recordPath(runtimeDir, pid);
  try {
    writeRecord(runtimeDir, change(JSON.parse(readFileSync(path, "utf8")) as AnnouncedRecord));
  } catch {
    // The runtime folder may have been deleted together with the database. Nothing is lost: the log has the same facts.
  }
}

/** Writes into the record file why the daemon is stopping. */
export function markRecord(runtimeDir: string, pid: number, failure: string): void {
  changeRecord(runtimeDir, pid, (record) => ({
    ...record,
    metadata: { ...record.metadata, failure },
  }));
}

export function removeRecord(runtimeDir: string, pid: number): void {
  rmSync(recordPath(runtimeDir, pid), { force: true });
}

export function recordPath(runtimeDir: string, pid: number): string {
  return join(runtimeDir, `daemon.${pid}.json`);
}
