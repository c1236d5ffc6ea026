import { instantToMs } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { SvcError } from "../contract/errors.ts";
import { sweepLeases } from "../ops/leases/sweep.ts";
import type { BulkWrite } from "./bulk-write.ts";
import type { Engine } from "./engines.ts";

export const endLeases: BulkWrite<null, number> = {
  name: "leases.end",
  run: async (deps) => await sweepLeases(deps),
};

/**
 * The maximum time between two sweeps (docs/contract/cron-and-inbox.md#13-leases); the shortest lease is twice as long.
 */
const LONGEST_MS = 30_000;
const SHORTEST_MS = 1000;

/**
 * Ends expired leases, within a second of their end. Nothing depends on the sweep: an expired lease counts as over even
 * before a sweep ends it.
 */
export function leaseEngine({ log }: { readonly log: Log }): Engine {
  return {
    name: "leases",
    firstMs: 1000,
    elected: true,
    sweep: async ({ store, bulk }) => {
      const ended = await bulk(endLeases, null);
      if (ended > 0) log.info("leases.expired", { leases: ended });
      const next = await store.read(async (reader) => await reader.leases.nextExpiry());
      if (next === undefined) return LONGEST_MS;
      const wait = instantToMs(next) - instantToMs(await store.leaseNow());
      return Math.min(Math.max(wait, SHORTEST_MS), LONGEST_MS);
    },
    // Another write held the database, so try again soon.
    failed: (error) =>
      error instanceof SvcError && error.code === "busy" ? SHORTEST_MS : undefined,
  };
}
