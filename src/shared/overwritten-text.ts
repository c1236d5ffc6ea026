import { instantToMs, msToInstant } from "../base/clock.ts";
import { offsetMs } from "../domain/dates.ts";
import type { Now } from "../domain/said-dates.ts";

/** Who overwrote a value that an event had set, and when. A field of answers of the API. */
export interface OverwrittenBy {
  readonly actor: string;
  readonly at: string;
}

/** Says who overwrote an event and when, in local time: `overwritten by ann, 10:02`, with the date if it was not today. */
export function overwrittenText({ actor, at }: OverwrittenBy, { ms, zone }: Now): string {
  const [there, here] = [wallMinute(instantToMs(at), zone), wallMinute(ms, zone)];
  const isToday = there.slice(0, 10) === here.slice(0, 10);
  return `overwritten by ${actor}, ${isToday ? there.slice(11) : there}`;
}

function wallMinute(ms: number, zone: string): string {
  return msToInstant(ms + offsetMs(ms, zone))
    .slice(0, 16)
    .replace("T", " ");
}
