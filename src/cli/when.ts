import { systemClock } from "../base/clock.ts";
import { localZone } from "../base/zone.ts";
import type { Now } from "../domain/said-dates.ts";

/** The time here: words such as `tomorrow` mean days of the zone of this machine. */
export function hereAndNow(zone = localZone()): Now {
  return { ms: systemClock.nowMs(), zone };
}
