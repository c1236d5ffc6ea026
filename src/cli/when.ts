import { systemClock } from "../base/clock.ts";
import { localZone } from "../base/zone.ts";
import type { Now } from "../domain/said-dates.ts";

/** The current time, with this machine's time zone or the given one. `tomorrow` means the next day in that zone. */
export function hereAndNow(zone = localZone()): Now {
  return { ms: systemClock.nowMs(), zone };
}
