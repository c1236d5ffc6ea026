import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { invariant } from "../base/invariant.ts";
import type { Dsn } from "./dsn.ts";
import type { Env } from "./env.ts";
import { sha256Hex } from "./sha256.ts";

/** `SVC_HOME`, or `~/.svc`. */
export function homeOf(env: Env, cwd: string): string {
  const given = env["SVC_HOME"];
  return given === undefined || given === "" ? join(userHome(env), ".svc") : resolve(cwd, given);
}

export function userHome(env: Env): string {
  const home = env["HOME"];
  return home === undefined || home === "" ? homedir() : home;
}

export function configPath(home: string): string {
  return join(home, "config.toml");
}

/** Twelve hex digits that name a database in the file system (facts cli-and-config 3.4). */
export function dbHash(dsn: Dsn): string {
  const name = dsn.dialect === "sqlite" ? dsn.path : `${dsn.identity}\0schema=${dsn.schema}`;
  return sha256Hex(name).slice(0, 12);
}

/** Record, log and locks of the daemon that serves the database. */
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

/** The folder of backups; a relative path is meant from the home, where config.toml stands. */
export function backupsDir(home: string, configured: string | undefined): string {
  return resolve(home, configured ?? "backups");
}

/** Drafts that a screen was ended with. */
export function draftsDir(home: string): string {
  return join(home, "drafts");
}

/** A Unix socket's path has at most 104 bytes on some systems, its final NUL included. */
export const MAX_SOCKET_PATH_BYTES = 103;

/** The daemon's Unix socket: in the user's runtime folder, else in the temporary one, else in the shortest there is. */
export function socketPath(env: Env, dsn: Dsn): string {
  const places = socketPlaces(env, process.getuid?.() ?? 0);
  const paths = places.map((place) => join(place, dbHash(dsn), "daemon.sock"));
  const path = paths.find((candidate) => Buffer.byteLength(candidate) <= MAX_SOCKET_PATH_BYTES);
  invariant(path !== undefined, "the shortest socket path fits");
  return path;
}

function socketPlaces(env: Env, uid: number): readonly string[] {
  const folders = [env["XDG_RUNTIME_DIR"], env["TMPDIR"], "/tmp"];
  const [runtime, temporary, shortest] = folders.map((folder) =>
    folder !== undefined && isAbsolute(folder) ? folder : undefined,
  );
  return [
    ...(runtime === undefined ? [] : [join(runtime, "svc")]),
    ...(temporary === undefined ? [] : [join(temporary, `svc-${uid}`)]),
    join(shortest ?? "/tmp", `svc-${uid}`),
  ];
}

/** A folder name that came from elsewhere is checked before it becomes part of a path. */
function requireHash(hash: string): void {
  invariant(/^[0-9a-f]{12}$/.test(hash), "a database hash has twelve hex digits");
}
