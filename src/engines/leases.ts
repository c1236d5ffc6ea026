import { type Clock, instantToMs } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { SvcError } from "../contract/errors.ts";
import { sweepLeases } from "../ops/leases/sweep.ts";
import { ELECTION_RETRY_MS, TermOver, underTerm } from "../ops/term.ts";
import type { Store } from "../store/types.ts";

/** A pass at least so often (facts cron-and-inbox 13); no lease is shorter than twice that. */
const LONGEST_MS = 30_000;
const SHORTEST_MS = 1000;
/** A command may have started the daemon and wait: it is answered first. */
const FIRST_MS = 1000;

export interface LeaseSweeper {
  /** Resolves when no pass is under way any more. */
  stop(): Promise<void>;
}

/**
 * Ends leases that ran out, within a second of their end. Of several daemons on one database one does it. Nothing
 * waits for it: who asks for an issue treats a lease that ran out as over, swept or not.
 */
export function startLeaseSweeper(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): LeaseSweeper {
  const ended = new AbortController();
  const running = run(deps, ended.signal);
  return {
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}

async function run(deps: Parameters<typeof startLeaseSweeper>[0], signal: AbortSignal) {
  const { clock, log } = deps;
  await clock.sleep(FIRST_MS, signal);
  while (!signal.aborted) {
    let wait = LONGEST_MS;
    try {
      wait = await pass(deps);
    } catch (error) {
      // Another write held the database; nothing was lost, and the next pass comes soon.
      if (error instanceof SvcError && error.code === "busy") wait = SHORTEST_MS;
      else if (error instanceof TermOver) wait = ELECTION_RETRY_MS;
      else if (!signal.aborted) log.warn("leases.sweep_failed", { error });
    }
    await clock.sleep(wait, signal);
  }
}

/** Answers how long until the next pass. */
async function pass({ store, log }: Parameters<typeof startLeaseSweeper>[0]) {
  const term = await store.elect("leases");
  if (term === undefined) return ELECTION_RETRY_MS;
  const ended = await sweepLeases({ store: underTerm(store, term) });
  if (ended > 0) log.info("leases.expired", { leases: ended });
  const next = await store.read(async (reader) => await reader.leases.nextExpiry());
  if (next === undefined) return LONGEST_MS;
  return Math.min(
    Math.max(instantToMs(next) - instantToMs(await store.leaseNow()), SHORTEST_MS),
    LONGEST_MS,
  );
}
