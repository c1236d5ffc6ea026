import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";

/** How long a stopping daemon waits for its own work and for statements that are still running. */
export const CLOSE_MS = 5000;

interface CloseDeps {
  /** Ends the daemon's own work and closes the store. */
  readonly close: () => Promise<void>;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "warn">;
  /** Kills the process. Absent if the daemon runs in the process of another program. */
  readonly cut: (() => void) | undefined;
}

/**
 * Closes the store. If that takes too long, kills the process: a `VACUUM` after a purge cannot be interrupted in any
 * other way, and a PostgreSQL server may not answer. The `VACUUM` runs again after the next start. Committed data is on
 * disk, and the database rolls back the rest.
 */
export async function closeStore({ close, clock, log, cut }: CloseDeps): Promise<void> {
  const closed = new AbortController();
  const closing = close().finally(() => closed.abort());
  const late = clock.sleep(CLOSE_MS, closed.signal).then(() => !closed.signal.aborted);
  const isLate = await Promise.race([closing.then(() => false), late]);
  if (isLate && cut !== undefined) {
    log.warn("daemon.close_cut", { after_ms: CLOSE_MS });
    cut();
  }
  await closing;
}
