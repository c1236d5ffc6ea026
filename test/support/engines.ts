import type { Clock } from "../../src/base/clock.ts";
import { type Log, silentLog } from "../../src/base/log.ts";
import { type Engine, Engines } from "../../src/engines/engines.ts";
import type { Store } from "../../src/store/types/store.ts";

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log?: Log;
  readonly beginWork?: () => (() => void) | undefined;
}

/** Runs engines as a daemon does. They are not stopped when idle. */
export function startEngines(
  { store, clock, log = silentLog, beginWork = () => () => undefined }: Parts,
  ...engines: readonly Engine[]
): Engines {
  const running = new Engines({ store, clock, log, beginWork });
  for (const engine of engines) running.start(engine);
  return running;
}
