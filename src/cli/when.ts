import { systemClock } from "../base/clock.ts";
import { localZone } from "../base/zone.ts";
import type { Now } from "../domain/said-dates.ts";

/** The current time and this machine's zone, in which words such as `tomorrow` are understood. */
export function hereAndNow(zone = localZone()): Now {
  return { ms: systemClock.nowMs(), zone };
}
