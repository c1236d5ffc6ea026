import { NeedsWorker } from "../base/budget.ts";

/** The maximum number of events that an engine writes on the daemon's own thread in one write. */
const SMALL_WORK = 10;

/** On the daemon's own thread, throws `NeedsWorker` before a write of more than `SMALL_WORK` events. */
export function requireSmallWork(smallWorkOnly: boolean | undefined, events: number): void {
  if (smallWorkOnly === true && events > SMALL_WORK) throw new NeedsWorker();
}
