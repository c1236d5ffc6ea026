import type { Log } from "../base/log.ts";
import type { Deps } from "../ops/deps.ts";
import { askDates } from "../ops/inbox/ask-dates.ts";
import { DateSweep } from "../ops/inbox/date-sweep.ts";
import type { BulkWrite } from "./bulk-write.ts";
import type { Engine } from "./engines.ts";

export const askAboutDates: BulkWrite<readonly string[], null> = {
  name: "dates.ask",
  run: async (deps, uids) => {
    await askDates(deps, uids);
    return null;
  },
};

/** The maximum time between two sweeps (docs/contract/cron-and-inbox.md#106-dates-that-are-reached). */
const LONGEST_MS = 30_000;
const SHORTEST_MS = 1000;

/**
 * Creates attention requests when planning dates are reached: within a second for a date that a sweep has seen before,
 * otherwise at the next sweep.
 */
export function dateEngine({
  clock,
  log,
  settings,
}: Pick<Deps, "clock" | "settings"> & { readonly log: Log }): Engine {
  const onFault = (issue_uid: string, error: unknown) =>
    log.warn("dates.issue_failed", { issue_uid, error });
  let known: { readonly term: number | undefined; readonly dates: DateSweep } | undefined;
  return {
    name: "dates",
    firstMs: 1000,
    elected: true,
    sweep: async ({ store, bulk, term, signal }) => {
      // While this daemon was not elected, it missed events, so start with a full pass.
      if (known === undefined || known.term !== term) {
        const askTogether = async (uids: readonly string[]) => await bulk(askAboutDates, uids);
        const deps = { store, clock, settings, askTogether };
        known = { term, dates: new DateSweep(deps, onFault) };
      }
      const { dates } = known;
      const issues = await dates.pass(signal);
      if (issues > 0) log.info("dates.asked", { issues });
      const next = dates.nextMs();
      if (next === undefined) return LONGEST_MS;
      return Math.min(Math.max(next - clock.nowMs(), SHORTEST_MS), LONGEST_MS);
    },
  };
}
