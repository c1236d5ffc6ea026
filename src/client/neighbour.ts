import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { Search } from "./discovery.ts";
import { UnavailableError } from "./errors.ts";
import { pingOf } from "./peer.ts";
import { type RuntimeRecord, recordKey } from "./record.ts";

/**
 * The daemon that another home of the same user started on this database. Its record is in that home, but the path of
 * its socket follows from the database alone, so a second daemon would find socket and lock taken.
 */
export async function neighbour(
  address: string,
  { version, anyVersion, dismissed }: Search,
): Promise<RuntimeRecord | undefined> {
  const record = await atSocket(address);
  if (record === undefined || dismissed.has(recordKey(record))) return undefined;
  if (anyVersion || record.version === version) return record;
  throw new UnavailableError(
    `a daemon of version ${record.version} (pid ${record.pid}) serves this database from another SVC_HOME; this is ${version}`,
    { hint: `stop it with its own version, or end it with kill ${record.pid}` },
  );
}

/** Who answers as svc on a database's socket, told as its record would; when it started is not known. */
export async function atSocket(address: string): Promise<RuntimeRecord | undefined> {
  if (!isOwnersAlone(address)) return undefined;
  const unknown = { pid: 0, network: "unix", address, version: "", started_at: "" } as const;
  const answer = await pingOf(unknown);
  if (answer.state !== "svc" || answer.pid === undefined) return undefined;
  return { ...unknown, pid: answer.pid, version: answer.version };
}

/** Below a shared folder (/tmp) anybody may have made this one first, and could listen in it. */
function isOwnersAlone(address: string): boolean {
  if (process.getuid === undefined) return false;
  const folder = lstatSync(dirname(address), { throwIfNoEntry: false });
  return (
    folder?.isDirectory() === true &&
    folder.uid === process.getuid() &&
    (folder.mode & 0o077) === 0 &&
    lstatSync(address, { throwIfNoEntry: false })?.isSocket() === true
  );
}
