import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Log, silentLog } from "../../src/base/log.ts";
import { Credentials, credentialsPath } from "../../src/config/credentials.ts";
import { loadConfig } from "../../src/config/load.ts";
import { mappingEngineOf } from "../../src/daemon/federation-mappings.ts";
import type { MappingSettings } from "../../src/daemon/mapping-settings.ts";
import { mappingSettingsFrom } from "../../src/daemon/mapping-settings.ts";
import { replicaSettingsFrom } from "../../src/daemon/replicas.ts";
import { federationFrom } from "../../src/daemon/settings.ts";
import type { OpStore } from "../../src/ops/deps.ts";
import type { Federation } from "../../src/ops/federation/far-side.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import { folderWith } from "../config/folder.ts";
import { countingIds } from "./ids.ts";
import { serveHub } from "./replica.ts";
import { type OpenStore, type World, world } from "./world.ts";

const TOKEN = "hub-admin-0123456789-0123456789";

/** One entry `[[federation.project]]` of config.toml. */
export interface GivenMapping {
  readonly hub?: string;
  readonly spoke_project?: string;
  readonly hub_project?: string;
  readonly actor?: string;
}

/**
 * A hub behind a real server, and a daemon with a home of its own whose configuration lets it copy the hub's projects.
 */
export async function mapped(open: OpenStore, hub?: World) {
  const served = hub ?? (await world({ store: open }));
  const server = await serveHub(served);
  const home = folderWith();
  chmodSync(home, 0o700);
  const env: Record<string, string> = { SVC_HOME: home, HUB_TOKEN: TOKEN };
  const credentials = new Credentials(credentialsPath(home));
  const loaded = async (text = "") => {
    writeFileSync(join(home, "config.toml"), text, { mode: 0o600 });
    return await loadConfig({ cwd: home, env });
  };
  const plain = await loaded();
  const spoke = await world({
    ...{ store: open, clock: served.clock, ids: countingIds(20_000) },
    federation: federationFrom(plain),
    replicas: replicaSettingsFrom(plain, []),
  });
  const entry = `[[daemon]]\nname = "team"\nurl = "${server.origin}"\ntoken_env = "HUB_TOKEN"\n`;

  /** Starts the engine as a daemon with this configuration does. `sweep` returns the ms until its next sweep. */
  const start = async (mappings: readonly GivenMapping[] = [{}], more: StartOptions = {}) => {
    const { log = silentLog, catalog = entry } = more;
    const settings =
      more.settings ??
      mappingSettingsFrom(await loaded(`${catalog}${mappings.map(tableOf).join("")}`));
    if (settings === undefined) throw new Error("there are no mappings");
    const { clock, ids } = spoke;
    const { store, federation } = more.daemon ?? {
      store: withGuard(spoke.store, {}),
      federation: spoke.replicas,
    };
    const engine = mappingEngineOf(settings, { clock, ids, log, federation });
    const sweep = async (signal = new AbortController().signal) =>
      await engine.sweep({
        ...{ store, term: undefined, signal },
        bulk: async () => await Promise.reject(new Error("mappings write nothing large")),
      });
    return { sweep, health: () => engine.health?.read(false) };
  };
  const pass = async (uid: string) =>
    await spoke.federation.pull(uid, new AbortController().signal);
  return { hub: served, server, spoke, home, env, credentials, start, pass, entry };
}

interface StartOptions {
  readonly log?: Log;
  readonly catalog?: string;
  /** Replaces the mappings of config.toml. */
  readonly settings?: MappingSettings;
  /** What the engine uses instead of the store and the far side of the world. */
  readonly daemon?: { readonly store: OpStore; readonly federation: Federation };
}

function tableOf({
  hub = "team",
  spoke_project = "a",
  hub_project = "b",
  actor = "sam",
}: GivenMapping) {
  const fields = Object.entries({ hub, spoke_project, hub_project, actor });
  const lines = fields.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  return `[[federation.project]]\n${lines.join("")}`;
}
