import type { Config } from "../config/load.ts";
import { runtimeDir } from "../config/paths.ts";
import { isOurs, pingOf } from "./daemon-identity.ts";
import { atSocket } from "./other-home.ts";
import { type RuntimeRecord, readRecords } from "./record.ts";
import { isSafe } from "./safe-socket.ts";

/** A daemon that was found by a record or at the database's socket, with the result of a ping. */
export interface FoundDaemon {
  readonly record: RuntimeRecord;
  readonly state: "running" | "stopping" | "silent";
  /** True if the daemon was started from another home of this user. The daemon's record and log are in that home. */
  readonly otherHome: boolean;
}

/** All daemons of this user that serve this database. */
export async function daemonsOf(config: Config): Promise<readonly FoundDaemon[]> {
  const own = await recordedIn(runtimeDir(config.home, config.dsn));
  const record = await atSocket(
    config,
    own.flatMap(({ record: { address, metadata } }) =>
      [address, metadata?.own_socket ?? []].flat(),
    ),
  );
  if (record === undefined) return own;
  return [...own, { record, state: "running", otherHome: true }];
}

/** Returns the daemons with a record in the folder. A foreign process at a recorded address is left out. */
export async function recordedIn(folder: string): Promise<readonly FoundDaemon[]> {
  const found: FoundDaemon[] = [];
  for (const record of readRecords(folder)) {
    if (!isSafe(record)) continue;
    const answer = await pingOf(record);
    if (answer.state !== "silent" && !isOurs(record, answer)) continue;
    const state =
      answer.state === "silent" || answer.state === "stopping" ? answer.state : "running";
    found.push({ record, state, otherHome: false });
  }
  return found;
}
