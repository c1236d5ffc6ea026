import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/load.ts";
import { runtimeDir } from "../config/paths.ts";
import { isOurs, pingOf, shownAddress } from "./peer.ts";
import type { PingResult } from "./ping.ts";
import { type RuntimeRecord, readRecords } from "./record.ts";

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly address: string;
  readonly db_path: string;
  readonly started_at: string;
  /** What a ping found there. */
  readonly state: "running" | "stopping" | "silent";
}

export interface Status {
  /** The one that commands of this home and database use. */
  readonly selected?: number;
  readonly daemons: readonly DaemonStatus[];
}

/** The daemons of every database that this home knows. */
export async function daemonStatus(config: Config): Promise<Status> {
  const own = runtimeDir(config.home, config.dsn);
  const daemons: DaemonStatus[] = [];
  let selected: number | undefined;
  for (const folder of namespaces(config.home)) {
    for (const record of readRecords(folder)) {
      const answer = await pingOf(record);
      if (answer.state !== "silent" && !isOurs(record, answer)) continue;
      if (folder === own) selected ??= record.pid;
      daemons.push(statusOf(record, answer));
    }
  }
  return { ...(selected === undefined ? {} : { selected }), daemons };
}

function statusOf(record: RuntimeRecord, { state }: PingResult): DaemonStatus {
  const { pid, version, started_at, metadata } = record;
  return {
    pid,
    version,
    address: shownAddress(record),
    db_path: metadata?.db_path ?? "",
    started_at,
    state: state === "silent" || state === "stopping" ? state : "running",
  };
}

function namespaces(home: string): readonly string[] {
  const folder = join(home, "runtime");
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
