import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { SvcError } from "../contract/errors.ts";
import type { ProviderName } from "../domain/issue-sync/providers.ts";
import { type BulkWorker, bulkFor } from "../engines/bulk-write.ts";
import type { Engine } from "../engines/engines.ts";
import { issueSyncEngine, writeSynced } from "../engines/issue-sync.ts";
import { Wake } from "../engines/wake.ts";
import type { OpSettings } from "../ops/deps.ts";
import { withGuard } from "../ops/guarded.ts";
import type { Store } from "../store/types/store.ts";
import { IssueSync } from "../sync/issue-sync.ts";
import type { Provider } from "../sync/provider.ts";

export interface IssueSyncSettings {
  /** The repositories that callers with a token or behind a proxy may bind, as `owner/repo` or `host/owner/repo`. */
  readonly repositories: readonly string[];
  /** Returns the provider that reads the code host. Called when the first repository is requested. */
  provider(name: ProviderName, clock: Clock): Promise<Provider>;
}

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: OpSettings;
  readonly worker: BulkWorker | undefined;
}

/**
 * The issue sync of the daemon: the side that the routes use, and the engine that reads the repositories that are due.
 */
export interface DaemonIssueSync {
  readonly farSide: IssueSync;
  readonly engine: Engine;
}

/** Without settings, as in a daemon of a test, no repository can be read. */
export function issueSyncOf(
  { repositories, provider }: IssueSyncSettings = { repositories: [], provider: noProvider },
  { store: whole, clock, ids, log, settings, worker }: Needs,
): DaemonIssueSync {
  const wake = new Wake();
  const store = withGuard(whole, {});
  // Each write checks the claim of its run, so it needs no term of an election.
  const bulk = bulkFor({ worker, clock, ids, settings }, store, undefined);
  const providers = new Map<ProviderName, Promise<Provider>>();
  const farSide = new IssueSync({
    store,
    clock,
    ids,
    log,
    repositories,
    provider: async (name) => {
      const known = providers.get(name) ?? provider(name, clock);
      providers.set(name, known);
      return await known;
    },
    write: async (chunk) => await bulk(writeSynced, chunk as unknown as JsonObject),
    wake: () => wake.wake(),
  });
  const run = async (claim: Parameters<IssueSync["run"]>[0]) =>
    await farSide.run(claim, { parents: false });
  return { farSide, engine: issueSyncEngine({ clock, log, wake, run }) };
}

async function noProvider(): Promise<Provider> {
  return await Promise.reject(new SvcError("unavailable"));
}
