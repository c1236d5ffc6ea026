import { isAbsolute, join, resolve } from "node:path";
import { invariant } from "../base/invariant.ts";
import { invalid } from "../contract/errors.ts";
import type { Dsn } from "./dsn.ts";
import type { Env } from "./env.ts";
import { socketFault } from "./private-path.ts";
import { sha256Hex } from "./sha256.ts";

export function homeOf(env: Env, cwd: string): string {
  const home = env["SVC_HOME"];
  return home === undefined || home === "" ? join(userHome(env), ".svc") : resolve(cwd, home);
}

export function userHome(env: Env): string {
  // `node:os` is loaded only where it is needed, since every command would wait for it.
  return env["HOME"] || process.getBuiltinModule("node:os").homedir();
}

export function configPath(home: string): string {
  return join(home, "config.toml");
}

/** Twelve hex digits that identify a database in file names (docs/contract/command-line.md#34-files). */
export function dbHash(dsn: Dsn): string {
  const name = dsn.dialect === "sqlite" ? dsn.path : `${dsn.identity}\0schema=${dsn.schema}`;
  return sha256Hex(name).slice(0, 12);
}

export function runtimeDir(home: string, dsn: Dsn): string {
  return runtimeDirOf(home, dbHash(dsn));
}

export function runtimeDirOf(home: string, hash: string): string {
  requireHash(hash);
  return join(home, "runtime", hash);
}

export function daemonLogPath(runtimeDirectory: string): string {
  return join(runtimeDirectory, "daemon.log");
}

/** The log of requests that the daemon refused. */
export function refusalLogPath(runtimeDirectory: string): string {
  return join(runtimeDirectory, "refusals.log");
}

/** The file that proves who runs the daemon, where the system has no Unix sockets. */
export function ownerFilePath(runtimeDirectory: string): string {
  return join(runtimeDirectory, "owner-proof");
}

export function backupsDir(home: string, configured: string | undefined): string {
  return resolve(home, configured ?? "backups");
}

/**
 * The folder for trials that restore backups to check that this is possible. It also has the results of these trials.
 */
export function trialsDir(home: string): string {
  return join(home, "backup-trials");
}

/** The folder for unsaved text of screens that were ended by a signal or an error. */
export function draftsDir(home: string): string {
  return join(home, "drafts");
}

/** Some systems limit the path of a Unix socket to 104 bytes with its final NUL. */
export const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Returns the path of the daemon's Unix socket. Clients and the daemon use the first of these folders in which no other
 * user could control the socket and its path is not too long:
 * - the user's runtime folder
 * - the temporary folder
 * - `/tmp`
 * - the home
 */
export function socketPath(env: Env, dsn: Dsn, home: string): string {
  const paths = socketPaths(env, dsn, home);
  const path = paths.find((candidate) => socketFault(candidate) === undefined);
  if (path !== undefined) return path;
  const [first = home] = paths;
  const fault = socketFault(first) ?? { path: first, what: "is too long", hint: "set TMPDIR" };
  throw invalid(
    `there is no safe place for the daemon's socket: ${fault.path} ${fault.what}`,
    fault.hint,
  );
}

/** All paths at which a daemon of this database may listen, in order of preference. */
export function socketPaths(env: Env, dsn: Dsn, home: string): readonly string[] {
  const hash = dbHash(dsn);
  const places = [
    ...socketPlaces(env, process.getuid?.() ?? 0).map((place) => join(place, hash)),
    runtimeDirOf(home, hash),
  ];
  const paths = places.map((place) => join(place, "daemon.sock"));
  return paths.filter((path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES);
}

function socketPlaces(env: Env, uid: number): readonly string[] {
  const [runtime, temporary] = [env["XDG_RUNTIME_DIR"], env["TMPDIR"]].map((folder) =>
    folder !== undefined && isAbsolute(folder) ? folder : undefined,
  );
  const own = `svc-${uid}`;
  return [
    ...(runtime === undefined ? [] : [join(runtime, "svc")]),
    ...(temporary === undefined ? [] : [join(temporary, own)]),
    join("/tmp", own),
  ];
}

function requireHash(hash: string): void {
  invariant(/^[0-9a-f]{12}$/.test(hash), "a database hash has twelve hex digits");
}
