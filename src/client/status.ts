import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/load.ts";
import { runtimeDir } from "../config/paths.ts";
import type { health } from "../contract/health.ts";
import type { Output } from "../contract/route.ts";
import { shownAddress } from "./daemon-identity.ts";
import { daemonsOf, type FoundDaemon, recordedIn } from "./daemons.ts";
import { healthOf } from "./health.ts";
import type { RecordedListener, RuntimeRecord } from "./record.ts";

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly address: string;
  /** The listeners besides the one at `address`. */
  readonly listeners?: readonly RecordedListener[];
  /** The origin of the daemon's pages; absent if it serves none. */
  readonly web_origin?: string;
  /** How the daemon authenticates requests; absent if it asks for no credential (mode `open`). */
  readonly mode?: string;
  readonly db_path: string;
  readonly started_at: string;
  /** The daemon's answer to a ping. */
  readonly state: "running" | "stopping" | "silent";
  /** The fault that makes the daemon stop without being asked to. */
  readonly failure?: string;
  /** What the daemon's idle timeout means for the recurring jobs of its database. */
  readonly note?: string;
  readonly other_home?: true;
  /** On PostgreSQL: the engines that only one daemon of the database runs at a time, as this daemon last saw them. */
  readonly engines?: readonly EngineStatus[];
}

export type EngineStatus = NonNullable<Output<typeof health>["engines"]>[number];

export interface Status {
  /** The pid of the daemon that commands of this home use. */
  readonly selected?: number;
  readonly daemons: readonly DaemonStatus[];
}

/**
 * The status of all daemons that have a record in this home, for any database, and of a daemon that serves this
 * database from another home, if there is one.
 */
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
  // A daemon of another version may report no engines. If it reports a list, the list follows the contract.
  const engines = Array.isArray(listed) ? { engines: listed as readonly EngineStatus[] } : {};
  const db_path = otherHome ? dsn.display : (metadata?.db_path ?? "");
  const begun = typeof since === "string" ? since : "";
  const failure = metadata?.failure === undefined ? {} : { failure: metadata.failure };
  return {
    pid,
    version,
    address,
    db_path,
    started_at: otherHome ? begun : started_at,
    state,
    ...(otherHome ? { other_home: true } : { ...failure, ...accessIn(record) }),
    ...engines,
    ...(otherHome ? {} : noteIn(idle)),
  };
}

function accessIn(record: RuntimeRecord): Pick<DaemonStatus, "listeners" | "mode" | "web_origin"> {
  const { listeners = [], mode, web_origin } = record.metadata ?? {};
  const others = listeners.filter(({ address }) => address !== shownAddress(record));
  return {
    ...(others.length === 0 ? {} : { listeners: others }),
    ...(web_origin === undefined ? {} : { web_origin }),
    ...(mode === undefined || mode === "open" ? {} : { mode }),
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
