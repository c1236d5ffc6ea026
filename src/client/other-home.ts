import { lstatSync } from "node:fs";
import type { Config } from "../config/load.ts";
import { socketPaths } from "../config/paths.ts";
import { socketFault } from "../config/private-path.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { pingOf } from "./daemon-identity.ts";
import { buildOf, buildVerdict, type Search } from "./discovery.ts";
import { type RuntimeRecord, recordKey } from "./record.ts";
import { type BuildInfo, refusalOfBuild } from "./succession.ts";

/**
 * Finds a daemon that serves this database and was started from another home of the same user. Its record is in that
 * home, but the path of its socket depends only on the database, so a second daemon would find socket and lock taken.
 * Throws if this client cannot use the daemon because of its build.
 */
export async function daemonOfOtherHome(
  config: Pick<Config, "env" | "dsn" | "home">,
  search: Search,
): Promise<RuntimeRecord | undefined> {
  const { version, dismissed } = search;
  const record = await atSocket(config);
  if (record === undefined || dismissed.has(recordKey(record))) return undefined;
  const decided = buildVerdict(record, search);
  if (decided === "use") return record;
  if (decided === "refuse") throw refusalOfBuild(record, buildOf(search));
  throw new UnavailableError(
    `a daemon of version ${record.version} (pid ${record.pid}) serves this database from another SVC_HOME; this is ${version}`,
    { hint: `stop it with its own version, or end it with kill ${record.pid}` },
  );
}

/**
 * Returns a record of the daemon that answers at one of the database's sockets. The record has no start time. Addresses
 * in `except` are not tried.
 */
export async function atSocket(
  { env, dsn, home }: Pick<Config, "env" | "dsn" | "home">,
  except: readonly string[] = [],
): Promise<RuntimeRecord | undefined> {
  for (const address of socketPaths(env, dsn, home)) {
    if (except.includes(address)) continue;
    if (!isThere(address) || socketFault(address) !== undefined) continue;
    const unknown = { pid: 0, network: "unix", address, version: "", started_at: "" } as const;
    const answer = await pingOf(unknown);
    if (answer.state !== "svc" || answer.pid === undefined) continue;
    const { state: _state, ...build } = answer;
    return { ...unknown, ...definedOf(build), pid: answer.pid, version: answer.version };
  }
  return undefined;
}

function definedOf(build: BuildInfo): Omit<Partial<RuntimeRecord>, "pid" | "version"> {
  return Object.fromEntries(Object.entries(build).filter(([, value]) => value !== undefined));
}

function isThere(address: string): boolean {
  if (process.getuid === undefined) return false;
  try {
    return lstatSync(address, { throwIfNoEntry: false })?.isSocket() === true;
  } catch {
    // The socket's folder may belong to another user, so that nothing in it can be seen. Then the socket is not used.
    return false;
  }
}
