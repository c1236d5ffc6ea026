import { type Clock, systemClock } from "../base/clock.ts";
import type { Config } from "../config/load.ts";
import { runtimeDir } from "../config/paths.ts";
import { socketFault } from "../config/private-path.ts";
import { silenceHint, UnavailableError } from "../shared/answer-errors.ts";
import { pingOf } from "./daemon-identity.ts";
import type { PingResult } from "./ping.ts";
import { isAlive, type RuntimeRecord, readRecords, recordKey, signal } from "./record.ts";
import { isSafe } from "./safe-socket.ts";
import { type BuildInfo, ownBuild, refusalOfBuild, type Verdict, verdictOn } from "./succession.ts";

export function searchFor(
  { home, dsn, settings }: Config,
  version: string,
  { dismissed = [], clock = systemClock }: SearchOptions = {},
): Search {
  return {
    runtimeDir: runtimeDir(home, dsn),
    version,
    anyVersion: settings.skipVersionCheck,
    dismissed: new Set(dismissed),
    clock,
  };
}

export interface SearchOptions {
  /** The records whose daemons could not be used, each by its key (`recordKey` in record.ts). */
  readonly dismissed?: readonly string[];
  readonly clock?: Clock;
}

export interface Search {
  readonly runtimeDir: string;
  readonly version: string;
  /** The build that a running daemon is compared with; default: the build of this program. */
  readonly build?: BuildInfo;
  readonly anyVersion: boolean;
  readonly dismissed: Set<string>;
  readonly clock: Clock;
}

/**
 * Returns the record of the daemon without a ping, if there is only one record of a live process. This saves a round
 * trip, and the first call shows whether the daemon answers. Only a Unix socket is trusted like this, because only the
 * user can write to its folder. The record is that of the running daemon, because a starting daemon removes all other
 * records while it holds the lock.
 */
export function findWithoutPing(search: Search): RuntimeRecord | undefined {
  const { runtimeDir, dismissed } = search;
  const [record, ...others] = readRecords(runtimeDir);
  if (record === undefined || others.length > 0 || record.network !== "unix") return undefined;
  if (buildVerdict(record, search) !== "use") return undefined;
  if (dismissed.has(recordKey(record)) || socketFault(record.address) !== undefined)
    return undefined;
  return record;
}

/**
 * Returns the record of a daemon that is ready, or `undefined` if there is none yet. A daemon on TCP is pinged, because
 * any process can listen on a port. A daemon on a Unix socket is not pinged (see `findWithoutPing`).
 */
export async function findReady(search: Search): Promise<RuntimeRecord | undefined> {
  const known = findWithoutPing(search);
  if (known !== undefined) return known;
  for (const record of readRecords(search.runtimeDir)) {
    if (record.network !== "tcp" || search.dismissed.has(recordKey(record))) continue;
    const answer = await pingOf(record);
    const fits = answer.state === "svc" && answer.pid === record.pid;
    if (fits && buildVerdict(answer, search) === "use") return record;
  }
  return undefined;
}

/**
 * Pings the recorded daemons and returns the first that this build can use
 * (docs/contract/command-line.md#44-local-discovery). A daemon that this build replaces is stopped. Throws if this
 * build can neither use nor replace a daemon, or if a daemon is alive but does not answer, because a second daemon
 * would find the database locked.
 */
export async function discover(search: Search): Promise<RuntimeRecord | undefined> {
  const others: RuntimeRecord[] = [];
  for (const record of readRecords(search.runtimeDir)) {
    if (!isSafe(record)) {
      search.dismissed.add(recordKey(record));
      continue;
    }
    const answer = await pingPatiently(record);
    if (answer.state === "silent") throw noAnswerError(record);
    if (answer.state !== "svc") {
      // The daemon has ended or is stopping, or another process has its port. So the record is ignored from now on.
      search.dismissed.add(recordKey(record));
      continue;
    }
    const decided = buildVerdict(answer, search);
    if (decided === "use") return record;
    if (decided === "refuse") throw refusalOfBuild({ ...answer, pid: record.pid }, buildOf(search));
    if (answer.pid !== record.pid) throw versionMismatch(record, answer.pid);
    others.push(record);
  }
  for (const record of others) await replaceDaemon(record, search);
  return undefined;
}

export function buildVerdict(running: BuildInfo, search: Search): Verdict {
  return search.anyVersion ? "use" : verdictOn(running, buildOf(search));
}

export function buildOf({ version, build }: Search): BuildInfo {
  return build ?? ownBuild(version);
}

const PING_ATTEMPTS = 3;

/** Pings several times, because a machine under load may take longer than one ping waits. */
async function pingPatiently(record: RuntimeRecord): Promise<PingResult> {
  for (let attempt = 1; ; attempt++) {
    const answer = await pingOf(record);
    if (answer.state !== "silent" || attempt === PING_ATTEMPTS) return answer;
  }
}

const REPLACE_MS = 3000;
const REPLACE_POLL_MS = 50;

/**
 * Stops the old daemon, which first answers its open requests. Meanwhile the new daemon waits for the database's lock.
 */
async function replaceDaemon(record: RuntimeRecord, { clock, dismissed }: Search): Promise<void> {
  dismissed.add(recordKey(record));
  signal(record.pid, "SIGTERM");
  const deadline = clock.nowMs() + REPLACE_MS;
  while (isAlive(record.pid) && clock.nowMs() < deadline) await clock.sleep(REPLACE_POLL_MS);
}

export function noAnswerError({ pid, address }: RuntimeRecord): UnavailableError {
  const hint = silenceHint({ pid, address });
  return new UnavailableError(
    `the daemon (pid ${pid}) at ${address} does not answer`,
    hint === undefined ? {} : { hint },
  );
}

function versionMismatch(
  { pid, address, version }: RuntimeRecord,
  answered: number | undefined,
): UnavailableError {
  const other = answered === undefined ? "no pid" : `pid ${answered}`;
  return new UnavailableError(
    `the daemon at ${address} is of version ${version} and answers with ${other} instead of ${pid}; nothing was stopped`,
  );
}
