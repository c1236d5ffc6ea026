import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Dsn } from "../../config/dsn.ts";
import { type Lock, tryLock } from "../../store/lock.ts";
import { realDatabasePath } from "../../store/sqlite/database-path.ts";
import { removeLeftTempFiles, removeSecondNames } from "../../store/sqlite/first-start.ts";
import { makeFolder, makePrivateFolder, requireWritable, socketFolders } from "../files/folders.ts";
import type { Place } from "../listener.ts";
import { StartError } from "../start-error.ts";
import { findRunning, type RunningDaemon } from "./running-daemon.ts";

export interface AcquireSettings {
  readonly dsn: Dsn;
  readonly runtimeDir: string;
  readonly socketPath: string;
  /** The addresses to listen on instead of `socketPath`. `none`: the daemon has no listener. */
  readonly listen?: readonly Place[] | "none";
}

/** How long to wait for the lock. A stopping daemon keeps it until its last request is answered. */
const WAIT_MS = 15_000;
const POLL_MS = 25;

/**
 * Locks the database so that only one daemon serves it. Call this before the database is opened. Several daemons may
 * share a PostgreSQL database, so for PostgreSQL the runtime folder and the socket are locked instead. Throws a
 * `StartError` if another daemon keeps the lock.
 */
export async function acquireDatabase(settings: AcquireSettings, clock: Clock): Promise<Lock> {
  const paths = lockPaths(settings);
  const deadline = clock.nowMs() + WAIT_MS;
  for (;;) {
    const lock = tryLocks(paths);
    if (lock !== undefined) {
      removeStaleRecords(settings.runtimeDir);
      if (settings.dsn.dialect === "sqlite") {
        removeLeftTempFiles(settings.dsn.path);
        removeSecondNames(settings.dsn.path);
      }
      return lock;
    }
    const live = await findRunning(settings.runtimeDir, ownSocket(settings));
    if (live !== undefined) throw alreadyRunning(live);
    if (clock.nowMs() >= deadline) throw heldBySomebody(paths);
    await clock.sleep(POLL_MS);
  }
}

function alreadyRunning({ pid, address }: RunningDaemon): StartError {
  const who = pid === undefined ? "" : ` pid=${pid}`;
  return new StartError("already_running", `daemon already running${who} address=${address}`);
}

function heldBySomebody(paths: readonly string[]): StartError {
  return new StartError("locked", `another process holds ${paths.join(" or ")}`, {
    hint: "a daemon with another SVC_HOME, or a program with svc as a library, may serve this database; stop it first",
  });
}

function tryLocks(paths: readonly string[]): Lock | undefined {
  const locks: Lock[] = [];
  const release = (): void => {
    for (const lock of locks.toReversed()) lock.release();
  };
  for (const path of paths) {
    const lock = tryLock(path);
    if (lock === undefined) {
      release();
      return undefined;
    }
    locks.push(lock);
  }
  return { release, held: () => locks.every((lock) => lock.held()) };
}

/**
 * Returns the path of the socket that this daemon must own. Returns `undefined` for a daemon with PostgreSQL that
 * listens only on TCP, because another daemon on the same database may own the socket.
 */
export function ownSocket({
  dsn,
  listen,
  socketPath,
}: Pick<AcquireSettings, "dsn" | "listen" | "socketPath">): string | undefined {
  const onTcp = typeof listen === "object" && listen.every((place) => "host" in place);
  return dsn.dialect === "postgres" && onTcp ? undefined : socketPath;
}

function lockPaths(settings: AcquireSettings): readonly string[] {
  const { dsn, runtimeDir, socketPath } = settings;
  makePrivateFolder(runtimeDir);
  if (ownSocket(settings) === undefined) return [join(runtimeDir, "daemon.lock")];
  socketFolders(socketPath);
  if (dsn.dialect === "postgres")
    return [join(runtimeDir, "daemon.lock"), join(dirname(socketPath), "listen.lock")];
  makeFolder(dirname(dsn.path));
  requireWritable(dirname(dsn.path));
  return [`${realDatabasePath(dsn.path)}.daemon.lock`];
}

/**
 * Removes the record files of daemons that have ended. The caller holds the lock, so none of these daemons is running,
 * even if another process now has the pid of such a file.
 */
function removeStaleRecords(runtimeDir: string): void {
  for (const name of readdirSync(runtimeDir)) {
    if (/^daemon\.\d+\.json(?:\.new)?$/.test(name)) rmSync(join(runtimeDir, name), { force: true });
  }
}
