import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import { meaningOf } from "../../../src/daemon/meaning/meaning.ts";
import { openStore } from "../../../src/store/open.ts";
import type { NamedProvider } from "./tracker.ts";

export interface PassCost {
  readonly ms: number;
  readonly processorMs: number;
  /** The longest time in which the event loop handled nothing else. */
  readonly blockedMs: number;
}

/** Runs one pass of a daemon in this process, which opens the index and compares all issues with it. */
export async function passOver(dsn: string, provider: NamedProvider): Promise<PassCost> {
  const ids = systemIds();
  const store = await openStore({ dsn, clock: systemClock, ids, timezone: "UTC" });
  const settings = {
    ...provider,
    ...{ batchSize: 64, timeoutMs: 30_000, salt: "", trustsPrivateNetwork: false },
    key: async () => await Promise.resolve(undefined),
  };
  const needs = { store, clock: systemClock, log: silentLog, database: { dsn }, readonly: false };
  const meaning = meaningOf(settings, needs);
  const [engine] = meaning.engines;
  if (engine === undefined) throw new Error("there is no engine");
  if ((await store.elect(engine.name)) === undefined)
    throw new Error("another daemon is on the database");
  const { signal } = new AbortController();
  const bulk = async () => await Promise.reject(new Error("a pass writes nothing to the tables"));
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const [begun, processor] = [performance.now(), process.cpuUsage()];
  await engine.sweep({ store, term: undefined, signal, bulk });
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(processor);
  delays.disable();
  await meaning.stop();
  await store.close();
  return { ms, processorMs: (user + system) / 1000, blockedMs: delays.max / 1e6 };
}
