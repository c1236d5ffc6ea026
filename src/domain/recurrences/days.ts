import { instantToMs, msToInstant } from "../../base/clock.ts";
import { WEEKDAYS, type Weekday } from "./rule.ts";

const DAY_MS = 86_400_000;

/** Adds days to a `YYYY-MM-DD` day; the number may be negative. */
export function addDays(day: string, days: number): string {
  return msToInstant(msOf(day) + days * DAY_MS).slice(0, 10);
}

/** 1970-01-01 was a Thursday and `WEEKDAYS` begins with Monday, so 3 is added to the number of days since then. */
export function weekdayOf(day: string): Weekday | undefined {
  return WEEKDAYS[(((msOf(day) / DAY_MS + 3) % 7) + 7) % 7];
}

function msOf(day: string): number {
  return instantToMs(`${day}T00:00:00.000Z`);
}
