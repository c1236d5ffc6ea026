import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/error-code.ts";
import { parseHostPort } from "../config/addresses.ts";
import type { Start } from "../config/start.ts";
import type { Address } from "./http/socket.ts";

/** The record of a running daemon in its runtime folder (docs/contract/command-line.md#43-the-record-of-a-daemon). */
export interface RuntimeRecord {
  readonly pid: number;
  readonly network: "unix" | "tcp";
  /** A path, or `ip:port`. */
  readonly address: string;
  /** The daemon's certificate in PEM. If present, the daemon speaks HTTPS, and clients trust no other certificate. */
  readonly certificate?: string;
  readonly version: string;
  readonly commit?: string;
  readonly built_at?: string;
  readonly schema_version?: number;
  readonly api_schema_version?: string;
  readonly started_at: string;
  readonly metadata?: {
    readonly db_path?: string;
    /** The fault that makes the daemon stop without being asked to. */
    readonly failure?: string;
    readonly kept_before_upgrade?: string;
    readonly tls?: CertificateState;
    /** How requests are authenticated (`src/domain/access/modes.ts`). */
    readonly mode?: Start["mode"];
    /** All listeners, including the one at `address`. */
    readonly listeners?: readonly RecordedListener[];
    /** The path of the socket for the daemon's own user, if commands use a TCP listener. */
    readonly own_socket?: string;
    /** The one origin of the daemon's pages; absent if it serves none. */
    readonly web_origin?: string;
    /** True if the settings determine `web_origin`, so that it stays the same after a restart. */
    readonly web_origin_stable?: boolean;
  };
}

export interface RecordedListener {
  /** `unix:///path`, or `ip:port`. */
  readonly address: string;
  /** `browser` serves pages only. Daemons of older versions leave the kind out. */
  readonly kind?: "socket" | "browser" | "shared-tcp";
  readonly https: boolean;
  /** The origin of pages on this listener; absent for a socket. */
  readonly origin?: string;
  /** The header in which a proxy names the actor, if this listener trusts the proxy. */
  readonly trusted_header?: string;
  /** The id of the user as whom that proxy runs. Set only if the daemon answers no connections of other users. */
  readonly proxy_user?: number;
}

export interface CertificateState {
  /** The certificate that all TCP listeners use, in PEM, without the certificates that signed it. */
  readonly certificate: string;
  readonly valid_until: string;
  /** When the certificate's files were last read, at the start or by a reload. */
  readonly read_at: string;
  /**
   * Why the files read at `read_at` were rejected. The daemon then keeps the earlier certificate. Absent if the files
   * are used.
   */
  readonly fault?: string;
}

const RECORD_FILE = /^daemon\.(\d+)\.json$/;

export function isRecordName(name: string): boolean {
  return RECORD_FILE.test(name);
}

/**
 * Reads the records of live processes, oldest first. Records of dead processes are removed. Malformed records are
 * ignored.
 */
export function readRecords(folder: string): readonly RuntimeRecord[] {
  const records: RuntimeRecord[] = [];
  for (const name of recordNames(folder)) {
    const path = join(folder, name);
    const record = readRecord(path, Number(RECORD_FILE.exec(name)?.[1]));
    if (record === undefined) continue;
    if (isAlive(record.pid)) records.push(record);
    else remove(path);
  }
  return records.length < 2 ? records : records.sort(byAge);
}

/**
 * Returns the names of the record files in a folder. Returns none if others can write to the folder, because another
 * user could then direct calls elsewhere.
 */
function recordNames(folder: string): readonly string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return [];
  if (process.getuid !== undefined && found.uid !== process.getuid()) return [];
  if ((found.mode & 0o022) !== 0) return [];
  return readdirSync(folder).filter(isRecordName);
}

function readRecord(path: string, pid: number): RuntimeRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(value) && value.pid === pid ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is RuntimeRecord {
  if (typeof value !== "object" || value === null) return false;
  const { pid, network, address, service, version, started_at } = value as Record<string, unknown>;
  return (
    typeof pid === "number" &&
    (network === "unix" || (network === "tcp" && parseHostPort(String(address)) !== undefined)) &&
    typeof address === "string" &&
    service === "svc" &&
    typeof version === "string" &&
    typeof started_at === "string"
  );
}

/** Returns true if any process has this pid, even if that process did not write the record. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Sends a signal to a process. If the process has already ended, that is no error. */
export function signal(pid: number, name: "SIGTERM" | "SIGKILL" | "SIGHUP"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

/** Whether a process has ended but is still listed, as happens in a container where no parent waits for it. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name stands in brackets before the state and may contain brackets, so the last bracket is searched.
    return /^\) [ZX]/.test(stat.slice(stat.lastIndexOf(")")));
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The record of a dead process does no harm.
  }
}

function byAge(a: RuntimeRecord, b: RuntimeRecord): number {
  if (a.started_at !== b.started_at) return a.started_at < b.started_at ? -1 : 1;
  return a.pid - b.pid;
}

/**
 * Returns a key for one start of a daemon with one certificate. The key contains the start time, because a later daemon
 * can have the same pid. The key contains the certificate, because a client that could not connect with an old
 * certificate must accept the record with the new certificate.
 */
export function recordKey({ pid, started_at, certificate = "" }: RuntimeRecord): string {
  return `${pid} ${started_at} ${certificate}`;
}

export function addressOf({
  network,
  address,
  certificate,
}: Pick<RuntimeRecord, "network" | "address" | "certificate">): Address {
  if (network === "unix") return { network, path: address };
  const { host, port } = parseHostPort(address) ?? { host: "", port: 0 };
  if (certificate === undefined) return { network, host, port, tls: false };
  return { network, host, port, tls: true, certificate };
}
