import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { OpSettings } from "../ops/deps.ts";
import { DateSweep } from "../ops/inbox/date-sweep.ts";
import { ELECTION_RETRY_MS, TermOver, underTerm } from "../ops/term.ts";
import type { Store } from "../store/types.ts";

/** A pass at least so often (facts cron-and-inbox 10.6). */
const LONGEST_MS = 30_000;
const SHORTEST_MS = 1000;
/** A command may have started the daemon and wait: it is answered first. */
const FIRST_MS = 1000;

export interface DateSweeper {
  /** Resolves when no pass is under way any more. */
  stop(): Promise<void>;
}

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: OpSettings;
}

/**
 * Asks owners for attention when the dates of their issues are reached, within a second where it knew of them. Of
 * several daemons on one database one does it.
 */
export function startDateSweeper(deps: Needs): DateSweeper {
  const ended = new AbortController();
  const running = run(deps, ended.signal);
  return {
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}

async function run(deps: Needs, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = deps;
  const onFault = (issue_uid: string, error: unknown) =>
    log.warn("dates.issue_failed", { issue_uid, error });
  let sweep: { readonly term: number; readonly dates: DateSweep } | undefined;
  await clock.sleep(FIRST_MS, signal);
  while (!signal.aborted) {
    let wait = LONGEST_MS;
    try {
      const term = await store.elect("dates");
      if (term === undefined) wait = ELECTION_RETRY_MS;
      // Who was not elected for a while has not followed what happened.
      if (term?.number !== sweep?.term) sweep = undefined;
      if (term !== undefined) {
        sweep ??= {
          term: term.number,
          dates: new DateSweep({ ...deps, store: underTerm(store, term) }, onFault),
        };
        const issues = await sweep.dates.pass(signal);
        if (issues > 0) log.info("dates.asked", { issues });
        wait = waitOf(sweep.dates.nextMs(), clock.nowMs());
      }
    } catch (error) {
      if (error instanceof TermOver) wait = ELECTION_RETRY_MS;
      else if (!signal.aborted) log.warn("dates.sweep_failed", { error });
    }
    await clock.sleep(wait, signal);
  }
}

function waitOf(next: number | undefined, now: number): number {
  return next === undefined ? LONGEST_MS : Math.min(Math.max(next - now, SHORTEST_MS), LONGEST_MS);
}
