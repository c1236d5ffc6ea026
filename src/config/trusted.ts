import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { MOVE_HOME } from "./config-file.ts";
import { type Origin, parseOrigin } from "./origins.ts";
import { isTrustedOwner, isWritableByOthers, pathFault } from "./path-fault.ts";
import { homeFault } from "./private-path.ts";
import { openReplacement } from "./replacement-file.ts";
import { fileError, readIfThere } from "./toml.ts";

/**
 * The list of servers that the user trusted (`svc daemon trust`). Only svc writes the file, readable by its owner only.
 */
export function trustedServersPath(home: string): string {
  return join(home, "trusted-servers.json");
}

/** The trusted origins, sorted. A file that others could have written is refused. */
export function readTrusted(home: string): readonly string[] {
  const path = trustedServersPath(home);
  const text = readIfThere(path);
  if (text === undefined) return [];
  requireOwn(home, path);
  return parsed(text, path);
}

export async function changeTrusted(
  home: string,
  { text: origin }: Origin,
  change: "add" | "remove",
  clock: Clock = systemClock,
): Promise<boolean> {
  const path = trustedServersPath(home);
  const replacement = await openReplacement(path, clock);
  try {
    const known = readTrusted(home);
    if (known.includes(origin) === (change === "add")) return false;
    const servers =
      change === "add" ? [...known, origin].sort() : known.filter((one) => one !== origin);
    replacement.put(`${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`);
    return true;
  } finally {
    replacement.drop();
  }
}

function requireOwn(home: string, path: string): void {
  if (process.getuid === undefined) return;
  const above = homeFault(home) ?? pathFault(home, MOVE_HOME);
  if (above !== undefined) {
    const whose = above.path === home ? "its folder" : above.path;
    throw fileError(path, `does not count: ${whose} ${above.what}`, undefined, above.hint);
  }
  const found = lstatSync(path);
  if (found.isFile() && isTrustedOwner(found) && !isWritableByOthers(found)) return;
  throw fileError(path, "does not count: other users can change it", undefined, REMOVE_HINT);
}

const REMOVE_HINT = "remove it, and trust the servers again with svc daemon trust <url>";

function parsed(text: string, path: string): readonly string[] {
  const servers = serversIn(text);
  if (servers === undefined)
    throw fileError(path, "is not as svc writes it", undefined, REMOVE_HINT);
  return servers.map((server) => parseOrigin(server, path).text);
}

function serversIn(text: string): readonly string[] | undefined {
  try {
    const { version, servers } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (version !== 1 || !Array.isArray(servers)) return undefined;
    return servers.every((one) => typeof one === "string") ? servers : undefined;
  } catch {
    return undefined;
  }
}
