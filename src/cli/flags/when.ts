import { systemClock } from "../../base/clock.ts";
import { localZone } from "../../base/zone.ts";
import type { Now } from "../../domain/said-dates.ts";

/** The current time and a time zone, by default this machine's. Words such as `tomorrow` mean days of this zone. */
export function hereAndNow(zone = localZone()): Now {
  return { ms: systemClock.nowMs(), zone };
}
