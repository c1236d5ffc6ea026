import type { Log } from "../base/log.ts";
import type { Deps } from "../ops/deps.ts";
import { type StoppedJobs, sweepJobs } from "./cron-sweep.ts";
import type { Engine } from "./engines.ts";

const PERIOD_MS = 30_000; // docs/contract/cron-and-inbox.md#84-the-sweep

/**
 * Makes the child issues of recurring jobs that are due: first half a second after the engines start, then every 30
 * seconds (docs/contract/cron-and-inbox.md#84-the-sweep).
 */
export function cronEngine(deps: Pick<Deps, "clock" | "ids"> & { readonly log: Log }): Engine {
  const { clock, log } = deps;
  const stopped: StoppedJobs = new Map();
  return {
    name: "cron",
    firstMs: 500,
    elected: true,
    delaysIdle: true,
    sweep: async ({ store, bulk, signal }) => {
      const next = clock.nowMs() + PERIOD_MS;
      const { jobs, children } = await sweepJobs({ ...deps, store, bulk }, signal, stopped);
      if (children > 0) log.info("cron.delivered", { jobs, children });
      return Math.max(0, next - clock.nowMs());
    },
  };
}
