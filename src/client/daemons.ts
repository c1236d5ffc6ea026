import type { Config } from "../config/load.ts";
import { runtimeDir } from "../config/paths.ts";
import { isOurs, pingOf } from "./daemon-identity.ts";
import { atSocket } from "./other-home.ts";
import { type RuntimeRecord, readRecords } from "./record.ts";
import { isSafe } from "./safe-socket.ts";

/** A daemon that a record or the database's socket led to, and what a ping found there. */
export interface FoundDaemon {
  readonly record: RuntimeRecord;
  readonly state: "running" | "stopping" | "silent";
  /** Another home of this user has started it: its record and its log are there. */
  readonly otherHome: boolean;
}

/** Every daemon that serves this database for this user, whichever home has started it. */
export async function daemonsOf(config: Config): Promise<readonly FoundDaemon[]> {
  const own = await recordedIn(runtimeDir(config.home, config.dsn));
  const record = await atSocket(
    config,
    own.map((known) => known.record.address),
  );
  if (record === undefined) return own;
  return [...own, { record, state: "running", otherHome: true }];
}

/** Those with a record in the folder. Who answers in the place of one that ended is none of ours. */
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
