import { firstOfOffset, offsetMs, wallDay } from "../dates.ts";
import type { Calendar } from "./expression.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** No time zone has an offset from UTC this large. */
const FURTHEST_MS = 16 * HOUR_MS;

/**
 * The number of years without a match after which a search stops. An expression such as `0 0 31 2 *` (February 31)
 * never matches (docs/contract/cron-and-inbox.md#24-cron-expressions).
 */
const SEARCH_YEARS = 5;

/**
 * Yields, in order, the instants after `afterMs` at which clocks in the zone show a time of `calendar`. When the zone
 * changes its offset, a skipped time gives no instant and a repeated time gives two
 * (docs/contract/cron-and-inbox.md#25-the-clock). The search goes day by day in UTC, and splits a day where the zone
 * changes its offset.
 */
export function* calendarAfter(
  calendar: Calendar,
  zone: string,
  afterMs: number,
): Generator<number, void, undefined> {
  let limit = yearsLater(afterMs);
  let known: Sample | undefined;
  for (let start = nextMinute(afterMs); start <= limit; start += DAY_MS) {
    const end = start + DAY_MS;
    if (!hasDay(calendar, start - FURTHEST_MS, end + FURTHEST_MS)) continue;
    const [from, to] = [
      known?.at === start ? known : offsetSample(start, zone),
      offsetSample(end, zone),
    ];
    known = to;
    for (const stretch of stretchesOf(from, to, zone)) {
      for (const found of wallTimes(calendar, stretch)) {
        yield found;
        limit = yearsLater(found);
      }
    }
  }
}

function yearsLater(ms: number): number {
  return ms + SEARCH_YEARS * 366 * DAY_MS;
}

function nextMinute(ms: number): number {
  return (Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS;
}

interface Sample {
  readonly at: number;
  readonly offset: number;
}

function offsetSample(at: number, zone: string): Sample {
  return { at, offset: offsetMs(at, zone) };
}

/** A span from `start` (inclusive) to `end` (exclusive) with a constant zone offset. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

/** Splits a day where the zone changes its offset. Zones change their offset at most once within a day. */
function stretchesOf(from: Sample, to: Sample, zone: string): readonly Stretch[] {
  if (from.offset === to.offset) return [{ start: from.at, end: to.at, offset: from.offset }];
  const change = firstOfOffset(from.at, to.at, zone);
  return [
    { start: from.at, end: change, offset: from.offset },
    { start: change, end: to.at, offset: to.offset },
  ];
}

function* wallTimes(
  calendar: Calendar,
  { start, end, offset }: Stretch,
): Generator<number, void, undefined> {
  const [wallStart, wallEnd] = [start + offset, end + offset];
  for (let day = dayOf(wallStart); day * DAY_MS < wallEnd; day++) {
    if (!isDay(calendar, day)) continue;
    for (const hour of calendar.hours) {
      const wallHour = day * DAY_MS + hour * HOUR_MS;
      if (wallHour + HOUR_MS <= wallStart || wallHour >= wallEnd) continue;
      for (const minute of calendar.minutes) {
        const wall = wallHour + minute * MINUTE_MS;
        if (wall >= wallStart && wall < wallEnd) yield wall - offset;
      }
    }
  }
}

function hasDay(calendar: Calendar, wallStart: number, wallEnd: number): boolean {
  for (let day = dayOf(wallStart); day <= dayOf(wallEnd); day++) {
    if (isDay(calendar, day)) return true;
  }
  return false;
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS);
}

function isDay(calendar: Calendar, day: number): boolean {
  const { month, dayOfMonth, weekday } = wallDay(day);
  if (!calendar.months.has(month)) return false;
  const [byDate, byWeekday] = [calendar.days.has(dayOfMonth), calendar.weekdays.has(weekday)];
  return calendar.eitherDay ? byDate || byWeekday : byDate && byWeekday;
}
