import type { Log } from "../base/log.ts";
import { bridgeEngine } from "../engines/bridges.ts";
import type { Engine } from "../engines/engines.ts";
import { Wake } from "../engines/wake.ts";
import { WokenIssues } from "../engines/woken-issues.ts";
import { runIfDue } from "../ops/bridges/due.ts";
import { wokenIssues } from "../ops/bridges/woken.ts";
import type { Deps } from "../ops/deps.ts";
import { withGuard } from "../ops/guarded.ts";
import type { Store } from "../store/types/store.ts";
import type { LazyConnectors } from "./connectors.ts";
import { LogWatch } from "./log-watch.ts";

/** Events of this time are handled together. */
const DEBOUNCE_MS = 100;

interface Needs extends Pick<Deps, "clock" | "ids" | "settings"> {
  readonly store: Store;
  readonly log: Log;
  beginWork(): (() => void) | undefined;
}

/**
 * The engine of bridges of a daemon with connectors. The code of the connectors is loaded when the first bridge is run.
 */
export function bridgeEngineOf(
  connectors: Pick<LazyConnectors, "get" | "during" | "isStopped">,
  { store: whole, clock, ids, settings, log, beginWork }: Needs,
): Engine {
  const wake = new Wake();
  const woken = new WokenIssues();
  // Each write checks the claim of its run, so it needs no term of an election, and no lease keeps it from writing.
  const store = withGuard(whole, {});
  const watch = new LogWatch({
    ...{ store: whole, clock, waitMs: () => DEBOUNCE_MS, read: wokenIssues },
    found: (uids) => {
      for (const uid of uids) woken.add(uid);
      wake.wake();
    },
  });
  return bridgeEngine({
    ...{ clock, log, wake, woken },
    watchEvents: async () => await watch.set(true),
    beginWork: () => (connectors.isStopped ? undefined : beginWork()),
    run: async (uid, signal) =>
      await connectors.during(async () => {
        const roots = await connectors.get();
        return await runIfDue({ store, clock, ids, settings, roots }, uid, signal);
      }),
  });
}
