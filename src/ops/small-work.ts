import { NeedsWorker } from "../base/budget.ts";

/** At most this many events of one sweep of an engine are written on the daemon's own thread in one write. */
const SMALL_WORK = 10;

/** On the daemon's own thread, throws `NeedsWorker` before a write of more events than a few. */
export function requireSmallWork(smallWorkOnly: boolean | undefined, events: number): void {
  if (smallWorkOnly === true && events > SMALL_WORK) throw new NeedsWorker();
}
