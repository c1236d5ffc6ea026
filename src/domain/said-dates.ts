import { instantToMs, msToInstant } from "../base/clock.ts";
import { offsetMs, wallDay } from "./dates.ts";

const DAY_MS = 86_400_000;

/** The instant and the zone for which a word such as `today` is read. */
export interface Now {
  readonly ms: number;
  readonly zone: string;
}

/** `ahead`: a weekday is the next one after today. `back`: it is the last one before today. */
export type WeekdayDirection = "ahead" | "back";

/**
 * The planning date that a word stands for (docs/dates.md), or `undefined` if the text is no such word. Days are
 * counted on the calendar, so a day of 23 or 25 hours counts as one.
 */
export function saidDate(text: string, now: Now, looking: WeekdayDirection): string | undefined {
  const word = text.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (word === "now") return msToInstant(now.ms);
  const today = Math.floor((now.ms + offsetMs(now.ms, now.zone)) / DAY_MS);
  if (word === "eod") return `${dayText(today)}T23:59:59`;
  const later = /^\+(\d{1,4})(min|h)$/.exec(word);
  if (later !== null)
    return msToInstant(now.ms + Number(later[1]) * (later[2] === "h" ? 3_600_000 : 60_000));
  const day = saidDay(word, today, looking);
  return day === undefined ? undefined : dayText(day);
}

const NEAR_DAYS: ReadonlyMap<string, number> = new Map([
  ["today", 0],
  ["tomorrow", 1],
  ["yesterday", -1],
]);

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The number of the day, counted from 1970-01-01. */
function saidDay(word: string, today: number, looking: WeekdayDirection): number | undefined {
  const near = NEAR_DAYS.get(word);
  if (near !== undefined) return today + near;
  const counted = /^\+(\d{1,4})(d|w|mo)$/.exec(word);
  if (counted !== null) {
    const count = Number(counted[1]);
    if (counted[2] === "mo") return monthsLater(today, count);
    return today + (counted[2] === "w" ? 7 : 1) * count;
  }
  if (word === "next week") return nextWeekday(today, 1);
  if (word === "next month") return monthStart(today, 1);
  const weekday = WEEKDAYS.findIndex((name) => word === name || word === name.slice(0, 3));
  if (weekday === -1) return undefined;
  return nextWeekday(looking === "ahead" ? today : today - 8, weekday);
}

/** The first day after `day` that is this weekday. */
function nextWeekday(day: number, weekday: number): number {
  return day + 7 - ((wallDay(day).weekday - weekday + 7) % 7);
}

/** The day of the same number `count` months later, or the last day of that month if the month is shorter. */
function monthsLater(day: number, count: number): number {
  const { dayOfMonth } = wallDay(day);
  return Math.min(monthStart(day, count) + dayOfMonth - 1, monthStart(day, count + 1) - 1);
}

function monthStart(day: number, later: number): number {
  const [year = 0, month = 1] = dayText(day).split("-").map(Number);
  const months = year * 12 + month - 1 + later;
  const named = `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
  return instantToMs(`${named}-01T00:00:00.000Z`) / DAY_MS;
}

function dayText(day: number): string {
  return msToInstant(day * DAY_MS).slice(0, 10);
}
