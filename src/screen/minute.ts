import type { Instant } from "../base/clock.ts";

/** The beginning of the minute. What changes by time alone is shown at most a minute late, and made anew once in it. */
export function minuteOf(now: Instant): Instant {
  return `${now.slice(0, "2026-11-21T10:00".length)}:00.000Z`;
}

/** The beginning of the second, where seconds are told. */
export function secondOf(now: Instant): Instant {
  return `${now.slice(0, "2026-11-21T10:00:00".length)}.000Z`;
}
