import { systemClock } from "../../base/clock.ts";
import { localZone } from "../../base/zone.ts";
import type { Now } from "../../domain/said-dates.ts";

/**
 * The current time and a time zone, by default this machine's. Words such as `tomorrow` mean days in this zone. The
 * machine's zone is looked up only when it is read, because starting Intl takes longer than most commands.
 */
export function hereAndNow(zone?: string): Now {
  return {
    ms: systemClock.nowMs(),
    get zone() {
      return zone ?? localZone();
    },
  };
}
