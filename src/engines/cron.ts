import type { Log } from "../base/log.ts";
import type { UngatedDeps } from "../ops/deps.ts";
import { ELECTION_RETRY_MS, TermOver, underTerm } from "../ops/term.ts";
import { sweepJobs, type ToldHeld } from "./cron-sweep.ts";

/** Doc 2, rule 11. */
const PERIOD_MS = 30_000;
/** A command may have started the daemon and wait: it is answered first. */
const FIRST_MS = 500;

export interface CronEngine {
  /** Resolves when no sweep is under way any more. */
  stop(): Promise<void>;
}

type Needs = Pick<UngatedDeps, "store" | "clock" | "ids"> & {
  readonly log: Log;
  /** Idle shutdown waits for a sweep; once it is past its deadline none begins. */
  readonly beginWork: () => (() => void) | undefined;
};

/** Delivers native jobs at start and then every 30 seconds. Of several daemons on one database one does it. */
export function startCronEngine(deps: Needs): CronEngine {
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
  const { clock, log } = deps;
  const told: ToldHeld = new Map();
  await clock.sleep(FIRST_MS, signal);
  while (!signal.aborted) {
    const begun = clock.nowMs();
    let period = PERIOD_MS;
    const end = deps.beginWork();
    try {
      const term = end === undefined ? undefined : await deps.store.elect("cron");
      if (end !== undefined && term === undefined) period = ELECTION_RETRY_MS;
      if (term !== undefined) {
        const store = underTerm(deps.store, term);
        const { jobs, children } = await sweepJobs({ ...deps, store }, signal, told);
        if (children > 0) log.info("cron.delivered", { jobs, children });
      }
    } catch (error) {
      if (error instanceof TermOver) period = ELECTION_RETRY_MS;
      else if (!signal.aborted) log.warn("cron.sweep_failed", { error });
    } finally {
      end?.();
    }
    await clock.sleep(Math.max(0, begun + period - clock.nowMs()), signal);
  }
}
