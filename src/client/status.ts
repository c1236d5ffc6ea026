import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/load.ts";
import { runtimeDir } from "../config/paths.ts";
import type { health } from "../contract/health.ts";
import type { Output } from "../contract/route.ts";
import { shownAddress } from "./daemon-identity.ts";
import { daemonsOf, type FoundDaemon, recordedIn } from "./daemons.ts";
import { healthOf } from "./health.ts";

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly address: string;
  readonly db_path: string;
  readonly started_at: string;
  /** What a ping found there. */
  readonly state: "running" | "stopping" | "silent";
  /** Why it ends by itself. */
  readonly failure?: string;
  /** What its idle timeout means for the recurring jobs of its database. */
  readonly note?: string;
  /** Another home has started it. */
  readonly other_home?: true;
  /** On PostgreSQL: the works that one of the daemons does for all, as this one last saw. */
  readonly engines?: readonly EngineStatus[];
}

export type EngineStatus = NonNullable<Output<typeof health>["engines"]>[number];

export interface Status {
  /** The one that commands of this home and database use. */
  readonly selected?: number;
  readonly daemons: readonly DaemonStatus[];
}

/** The daemons of every database that this home knows, and one of this database that another home has started. */
export async function daemonStatus(config: Config): Promise<Status> {
  const own = runtimeDir(config.home, config.dsn);
  const here = await daemonsOf(config);
  const daemons = await Promise.all(here.map(async (found) => await statusOf(found, config)));
  for (const folder of namespaces(config.home)) {
    if (folder === own) continue;
    for (const found of await recordedIn(folder)) daemons.push(await statusOf(found, config));
  }
  const [selected] = here;
  return { ...(selected === undefined ? {} : { selected: selected.record.pid }), daemons };
}

async function statusOf(
  { record, state, otherHome }: FoundDaemon,
  { dsn }: Config,
): Promise<DaemonStatus> {
  const { pid, version, started_at, metadata } = record;
  const address = shownAddress(record);
  const {
    started_at: since,
    engines: listed,
    idle_shutdown: idle,
  } = otherHome || state === "running" ? await healthOf(record).catch(noHealth) : noHealth();
  // A daemon of another version may have none; ours gives them as the contract says.
  const engines = Array.isArray(listed) ? { engines: listed as readonly EngineStatus[] } : {};
  if (!otherHome) {
    const { db_path = "", failure } = metadata ?? {};
    const why = failure === undefined ? {} : { failure };
    return {
      pid,
      version,
      address,
      db_path,
      started_at,
      state,
      ...why,
      ...engines,
      ...noteIn(idle),
    };
  }
  const started = typeof since === "string" ? since : "";
  return {
    pid,
    version,
    address,
    db_path: dsn.display,
    started_at: started,
    state,
    other_home: true,
    ...engines,
  };
}

function noHealth(): Readonly<Record<string, unknown>> {
  return {};
}

function noteIn(idle: unknown): { readonly note?: string } {
  const note = typeof idle === "object" && idle !== null && "note" in idle ? idle.note : undefined;
  return typeof note === "string" ? { note } : {};
}

function namespaces(home: string): readonly string[] {
  const folder = join(home, "runtime");
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
