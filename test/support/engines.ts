import type { Clock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { type Log, silentLog } from "../../src/base/log.ts";
import type { BulkWorker } from "../../src/engines/bulk-write.ts";
import { type Engine, Engines } from "../../src/engines/engines.ts";
import type { OpSettings } from "../../src/ops/deps.ts";
import type { Store } from "../../src/store/types/store.ts";

const SETTINGS: OpSettings = {
  timezone: "UTC",
  close_throttle: { enabled: false, window_ms: 0, limit: 0 },
};

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log?: Log;
  readonly beginWork?: () => (() => void) | undefined;
  readonly worker?: BulkWorker;
}

/** Runs engines as a daemon does. They are not stopped when idle. */
export function startEngines(
  { store, clock, log = silentLog, beginWork = () => () => undefined, worker }: Parts,
  ...engines: readonly Engine[]
): Engines {
  const needs = { store, clock, ids: systemIds(), log, beginWork, settings: SETTINGS };
  const running = new Engines(worker === undefined ? needs : { ...needs, worker });
  for (const engine of engines) running.start(engine);
  return running;
}
