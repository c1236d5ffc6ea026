import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { BulkWorker } from "../engines/bulk-write.ts";
import { cronEngine } from "../engines/cron.ts";
import { dateEngine } from "../engines/dates.ts";
import { type Engine, Engines } from "../engines/engines.ts";
import { eraseEngine } from "../engines/erase.ts";
import { leaseEngine } from "../engines/leases.ts";
import { textEngine } from "../engines/texts.ts";
import { tokenUseEngine } from "../engines/token-uses.ts";
import type { Federation } from "../ops/federation/far-side.ts";
import type { TokenUses } from "../ops/tokens/uses.ts";
import type { Store } from "../store/types/store.ts";
import type { LazyConnectors } from "./connectors.ts";
import type { IdleWatch } from "./idle/watch.ts";
import type { LazyMeaning } from "./meaning/lazy-meaning.ts";
import type { DaemonSettings } from "./settings.ts";

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly uses: TokenUses;
  readonly watch: IdleWatch | undefined;
  /** Carries out large writes. If absent, they are carried out on this thread. */
  readonly worker: BulkWorker | undefined;
  readonly issueSync: Engine;
  readonly federation: Engine;
  /** What a join or leave of a project needs. The engine of the mappings in config.toml needs it. */
  readonly replicas: Federation;
  readonly connectors: LazyConnectors | undefined;
  readonly meaning: LazyMeaning | undefined;
}

export async function startEngines(settings: DaemonSettings, needs: Needs): Promise<Engines> {
  const { store, clock, ids, log, uses, watch, worker, replicas, connectors, meaning } = needs;
  const beginWork = watch?.beginWork ?? (() => noop);
  const engines = new Engines({
    store,
    clock,
    ids,
    log,
    settings: settings.ops,
    beginWork,
    worker,
  });
  engines.start(leaseEngine({ log }));
  engines.start(dateEngine({ clock, log, settings: settings.ops }));
  engines.start(eraseEngine({ log }));
  engines.start(textEngine({ log }));
  engines.start(cronEngine({ clock, ids, log }));
  engines.start(needs.issueSync);
  engines.start(needs.federation);
  if (settings.authentication?.mode === "identity") engines.start(tokenUseEngine(uses));
  if (settings.mappings !== undefined) {
    const { mappingEngineOf } = await import("./federation-mappings.ts");
    engines.start(mappingEngineOf(settings.mappings, { clock, ids, log, federation: replicas }));
  }
  if (connectors !== undefined) {
    const { bridgeEngineOf } = await import("./bridges.ts");
    const deps = { store, clock, ids, log, settings: settings.ops };
    engines.start(bridgeEngineOf(connectors, { ...deps, beginWork }));
  }
  for (const engine of (await meaning?.get())?.engines ?? []) engines.start(engine);
  const own = { instanceUid: store.instanceUid, clock, log };
  for (const engine of await scheduledEngines(settings, own)) engines.start(engine);
  return engines;
}

/**
 * Returns the engines for scheduled backups and their trials. The code is loaded only if the settings schedule them.
 */
async function scheduledEngines(
  { backups, trials }: DaemonSettings,
  deps: Pick<Needs, "clock" | "log"> & { readonly instanceUid: string },
): Promise<readonly Engine[]> {
  const [backupsFile, trialsFile] = await Promise.all([
    backups && import("../engines/backups.ts"),
    trials && import("../engines/trials.ts"),
  ]);
  return [
    backups && backupsFile?.backupEngine({ ...deps, settings: await backups() }),
    trials && trialsFile?.trialEngine({ ...deps, settings: await trials() }),
  ].filter((engine) => engine !== undefined);
}

const noop = (): void => undefined;
