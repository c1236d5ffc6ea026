import { type Instant, instantToMs, msToInstant } from "../src/base/clock.ts";
import { offsetMs, offsetText } from "../src/domain/dates.ts";

/** An instant as the clock on the wall of a zone shows it: `2026-11-16 09:00:00`. */
export function wallTime(instant: Instant, zone: string): string {
  const ms = instantToMs(instant);
  return msToInstant(ms + offsetMs(ms, zone))
    .slice(0, 19)
    .replace("T", " ");
}

/** With how far that clock is ahead of UTC, by which the hour that comes twice is two: `2026-10-25 02:30:00 +01:00`. */
export function wallTimeAhead(instant: Instant, zone: string): string {
  return `${wallTime(instant, zone)} ${offsetText(offsetMs(instantToMs(instant), zone))}`;
}
