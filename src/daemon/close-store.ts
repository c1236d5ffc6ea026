import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";

/** What is under way in the database when a daemon ends is waited for so long. */
export const CLOSE_MS = 5000;

interface Closing {
  readonly store: { close(): Promise<void> };
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "warn">;
  /** Ends the process as a kill does. Absent where the process is not the daemon's own. */
  readonly cut: (() => void) | undefined;
}

/**
 * Closes the store. A file that is being written anew after a purge (`VACUUM`) cannot be interrupted by anything but the
 * end of the process, and would be written anew after the next start in any case: what was committed is on the disk, and
 * SQLite takes back the rest.
 */
export async function closeStore({ store, clock, log, cut }: Closing): Promise<void> {
  const closed = new AbortController();
  const closing = store.close().finally(() => closed.abort());
  const late = clock.sleep(CLOSE_MS, closed.signal).then(() => !closed.signal.aborted);
  const isLate = await Promise.race([closing.then(() => false), late]);
  if (isLate && cut !== undefined) {
    log.warn("daemon.close_cut", { after_ms: CLOSE_MS });
    cut();
  }
  await closing;
}
