import type { Instant } from "../base/clock.ts";

/** The beginning of the minute. Results that depend on the time are computed once per minute, not at every message. */
export function minuteOf(now: Instant): Instant {
  return `${now.slice(0, "2026-11-21T10:00".length)}:00.000Z`;
}

export function secondOf(now: Instant): Instant {
  return `${now.slice(0, "2026-11-21T10:00:00".length)}.000Z`;
}
