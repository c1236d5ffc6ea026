import { instantToMs, msToInstant } from "../../../src/base/clock.ts";

/** A time as a wall clock shows it. */
export interface Wall {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

/**
 * A second and simpler implementation, to compare with. For each predicate it returns the minutes of a span at which
 * the wall clock of the zone satisfies it. It reads the wall clock from `Intl` every half hour, and counts on from
 * there.
 */
export function everyMinute(
  predicates: readonly ((wall: Wall) => boolean)[],
  zone: string,
  from: string,
  to: string,
): readonly (readonly string[])[] {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    day: "2-digit",
    month: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const found: string[][] = predicates.map(() => []);
  for (let start = instantToMs(from); start < instantToMs(to); start += HALF_HOUR_MS) {
    const [weekday = "", day, month, hour, minute] = format.format(start).match(/\w+/g) ?? [];
    const wall = {
      weekday: WEEKDAYS.indexOf(weekday),
      day: Number(day),
      month: Number(month),
      hour: Number(hour),
      minute: Number(minute),
    };
    for (let passed = 0; passed < 30; passed++) {
      for (const [at, matches] of predicates.entries()) {
        if (matches(wall)) found[at]?.push(msToInstant(start + passed * 60_000));
      }
      wall.minute += 1;
    }
  }
  return found;
}

const HALF_HOUR_MS = 30 * 60_000;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
