import type { Env } from "../../config/env.ts";
import { isTable, type TomlTable } from "../../config/toml.ts";
import { failureOf } from "../failure/failure.ts";
import { documentIn, readHostText } from "./host-file.ts";
import { HOST_NAMES, HOSTS, type Host, type HostName, type Scope, scopesOf } from "./hosts.ts";
import { placeOf, scopeOf } from "./placed.ts";
import { SERVER_NAME } from "./snippet.ts";
import { entryIn } from "./uninstall.ts";

/** A configuration file of a host, and the entry for svc in it. */
export interface HostEntry {
  readonly client: HostName;
  readonly host: Host;
  readonly scope: Scope;
  /** `undefined` if the host documents no file for this system. */
  readonly path: string | undefined;
  /** `undefined` if the file has no such entry, or cannot be read. */
  readonly entry: unknown;
  /** Why the file cannot be read. */
  readonly fault?: { readonly message: string; readonly hint?: string | undefined };
}

interface Place {
  readonly start: string;
  readonly env: Env;
}

/**
 * Returns the files of the named hosts that have an entry for svc or that cannot be read. If `named` is undefined,
 * returns these files of all hosts. If a named host has no such file, returns the file into which `svc mcp install`
 * would write the entry.
 */
export async function entriesOf(
  named: readonly HostName[] | undefined,
  requested: Scope | undefined,
  place: Place,
): Promise<readonly HostEntry[]> {
  const found: HostEntry[] = [];
  for (const client of new Set(named ?? HOST_NAMES)) {
    const host: Host = HOSTS[client];
    const usual = named === undefined ? undefined : scopeOf(host, requested);
    const entries: HostEntry[] = [];
    for (const scope of scopesOf(host).filter(
      (one) => requested === undefined || one === requested,
    ))
      entries.push(await entryOf(client, scope, place));
    const there = entries.filter((one) => one.entry !== undefined || one.fault !== undefined);
    const absent = entries.filter(({ scope }) => scope === usual);
    found.push(...(there.length > 0 ? there : absent));
  }
  return found;
}

async function entryOf(client: HostName, scope: Scope, { start, env }: Place): Promise<HostEntry> {
  const host: Host = HOSTS[client];
  const { path } = placeOf(host, scope, start, env);
  const file = { client, host, scope, path };
  if (path === undefined) return { ...file, entry: undefined };
  let text: string | undefined;
  try {
    text = readHostText(path)?.text;
    if (text === undefined || text.trim() === "") return { ...file, entry: undefined };
    return { ...file, entry: anyEntryIn(host, await documentIn(host, path, text)) };
  } catch (error) {
    // A file without the name of svc's server has no entry of svc, so it need not even be valid.
    if (text?.includes(SERVER_NAME) === false) return { ...file, entry: undefined };
    return { ...file, entry: undefined, fault: failureOf(error) };
  }
}

/** Returns the entry for svc. The place that a newer version of the host uses comes before the usual place. */
function anyEntryIn(host: Host, document: TomlTable): unknown {
  const { servers, newerServers } = host;
  const inner = document[servers];
  const newer =
    newerServers === undefined || !isTable(inner)
      ? undefined
      : entryIn({ ...host, servers: newerServers }, inner);
  return newer ?? entryIn(host, document);
}
