import { type Instant, instantToMs, msToInstant } from "../src/base/clock.ts";
import { offsetMs, offsetText } from "../src/domain/dates.ts";

/** An instant as local time: `2026-11-16 09:00:00`. */
export function wallTime(instant: Instant, zone: string): string {
  const ms = instantToMs(instant);
  return msToInstant(ms + offsetMs(ms, zone))
    .slice(0, 19)
    .replace("T", " ");
}

/** With the UTC offset, which tells the two hours of a clock change apart: `2026-10-25 02:30:00 +01:00`. */
export function wallTimeAhead(instant: Instant, zone: string): string {
  return `${wallTime(instant, zone)} ${offsetText(offsetMs(instantToMs(instant), zone))}`;
}
