import { age } from "../base/age.ts";
import { type Instant, instantToMs, msToInstant } from "../base/clock.ts";
import { offsetMs, offsetText } from "../domain/dates.ts";
import { saidDate } from "../domain/said-dates.ts";
import { type OverwrittenBy, overwrittenText } from "../shared/overwritten-text.ts";
import type { State } from "./state.ts";

/** The current time, and how the person wants times to be written. */
export interface Times extends Pick<State, "now"> {
  readonly preferences: Pick<State["preferences"], "times" | "zone">;
}

/** How long ago the instant was: `now` in the first minute, so that a quiet screen does not count seconds. */
export function ago(instant: Instant, now: Instant): string {
  const [fromMs, nowMs] = [instantToMs(instant), instantToMs(now)];
  return nowMs - fromMs < MINUTE_MS ? "now" : age(fromMs, nowMs);
}

const MINUTE_MS = 60_000;

/** How long ago the instant was, as part of a sentence: `5h ago`, `just now`. */
export function agoPhrase(instant: Instant, now: Instant): string {
  const text = ago(instant, now);
  return text === "now" ? "just now" : `${text} ago`;
}

/** An age (`5h`), or a local time: `11-20 14:05`, in another year `2025-11-20`. */
export function timeText({ now, preferences: { times, zone } }: Times, instant: string): string {
  if (times === "ago") return ago(instant, now);
  const [here, there] = [wallTime(now, zone), wallTime(instant, zone)];
  const isThisYear = here.slice(0, 4) === there.slice(0, 4);
  return isThisYear ? there.slice("2026-".length, "2026-11-20 14:05".length) : there.slice(0, 10);
}

/** A time as part of a sentence: `5h ago`, or `11-20 14:05`. */
export function timePhrase(how: Times, instant: string): string {
  return how.preferences.times === "ago" ? agoPhrase(instant, how.now) : timeText(how, instant);
}

/** Who overwrote an event of another daemon, and when: `overwritten by ann, 10:02`. */
export function lostText({ now, preferences: { zone } }: Times, by: OverwrittenBy): string {
  return overwrittenText(by, { ms: instantToMs(now), zone });
}

/** An instant as local time: `2026-11-16 09:00:00`. */
export function wallTime(instant: Instant, zone: string): string {
  const ms = instantToMs(instant);
  return msToInstant(ms + offsetMs(ms, zone))
    .slice(0, 19)
    .replace("T", " ");
}

/**
 * A local time with the UTC offset, which distinguishes the two hours of a clock change: `2026-10-25 02:30:00 +01:00`.
 */
export function wallTimeAhead(instant: Instant, zone: string): string {
  return `${wallTime(instant, zone)} ${offsetText(offsetMs(instantToMs(instant), zone))}`;
}

/**
 * Returns the date that `text` means: for a word such as `fri` or `+3d` the date as `2026-11-27` (docs/dates.md), and for
 * any other text the text itself.
 */
export function dateMeant({ now, preferences: { zone } }: Times, text: string): string {
  return saidDate(text, { ms: instantToMs(now), zone }, "ahead") ?? text;
}
