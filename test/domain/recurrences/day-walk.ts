import { instantToMs, msToInstant } from "../../../src/base/clock.ts";

/**
 * A second, simple implementation of recurrence rules, to compare with. It checks each day of each period. It shares no
 * code with the library or with `src/`.
 */
export interface WalkRule {
  readonly freq: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval?: number;
  readonly count?: number;
  readonly byDay?: readonly string[];
  readonly byMonthDay?: readonly number[];
  readonly byMonth?: readonly number[];
  readonly bySetPos?: readonly number[];
  readonly wkst?: string;
}

const DAY = 86_400_000;
const NAMES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** Returns the days from the first one on or after `dtstart` to `end`, both `YYYY-MM-DD`. */
export function walkDays(rule: WalkRule, dtstart: string, end: string): readonly string[] {
  const start = msOf(dtstart);
  const last = msOf(end);
  const found: string[] = [];
  for (let period = 0; ; period += rule.interval ?? 1) {
    const [from, to] = periodOf(rule, start, period);
    if (from > last) return found;
    const days: number[] = [];
    for (let day = from; day < to; day += DAY) if (isMeant(rule, day, start)) days.push(day);
    for (const day of positioned(rule, days)) {
      if (day < start) continue;
      if (day > last || found.length === rule.count) return found;
      found.push(msToInstant(day).slice(0, 10));
    }
  }
}

function msOf(day: string): number {
  return instantToMs(`${day}T00:00:00.000Z`);
}

/** Months count from 0, and may be greater than 11. */
function firstOf(year: number, month: number): number {
  const at = year * 12 + month;
  const [y, m] = [Math.floor(at / 12), at % 12];
  return msOf(`${y}-${String(m + 1).padStart(2, "0")}-01`);
}

function partsOf(day: number): {
  readonly year: number;
  readonly month: number;
  readonly date: number;
} {
  const [year = 0, month = 0, date = 0] = msToInstant(day).slice(0, 10).split("-").map(Number);
  return { year, month: month - 1, date };
}

function periodOf({ freq, wkst = "MO" }: WalkRule, start: number, n: number): [number, number] {
  const { year, month } = partsOf(start);
  switch (freq) {
    case "DAILY":
      return [start + n * DAY, start + (n + 1) * DAY];
    case "WEEKLY": {
      const back = (weekday(start) - NAMES.indexOf(wkst) + 7) % 7;
      return [start + (7 * n - back) * DAY, start + (7 * n - back + 7) * DAY];
    }
    case "MONTHLY":
      return [firstOf(year, month + n), firstOf(year, month + n + 1)];
    case "YEARLY":
      return [firstOf(year + n, 0), firstOf(year + n + 1, 0)];
  }
}

function positioned({ bySetPos }: WalkRule, days: readonly number[]): readonly number[] {
  if (bySetPos === undefined) return days;
  return days.filter((_, at) => bySetPos.includes(at + 1) || bySetPos.includes(at - days.length));
}

function isMeant(rule: WalkRule, day: number, start: number): boolean {
  const { freq, byDay, byMonthDay, byMonth } = rule;
  const [{ year, month, date }, first] = [partsOf(day), partsOf(start)];
  const length = (firstOf(year, month + 1) - firstOf(year, month)) / DAY;
  if (byMonth !== undefined && !byMonth.includes(month + 1)) return false;
  if (byMonthDay !== undefined) {
    if (!byMonthDay.includes(date) && !byMonthDay.includes(date - length - 1)) return false;
  }
  if (byDay !== undefined && !byDay.some((wanted) => isNumbered(rule, day, wanted))) return false;
  if (byDay !== undefined || byMonthDay !== undefined || freq === "DAILY") return true;
  // A part that the rule does not state is taken from the first day.
  if (freq === "WEEKLY") return weekday(day) === weekday(start);
  if (date !== first.date) return false;
  return freq === "MONTHLY" || byMonth !== undefined || month === first.month;
}

function isNumbered({ freq, byMonth }: WalkRule, day: number, wanted: string): boolean {
  if (NAMES[weekday(day)] !== wanted.slice(-2)) return false;
  if (wanted.length === 2) return true;
  const { year, month } = partsOf(day);
  const [from, to] =
    freq === "MONTHLY" || byMonth !== undefined
      ? [firstOf(year, month), firstOf(year, month + 1)]
      : [firstOf(year, 0), firstOf(year + 1, 0)];
  const fromStart = Math.floor((day - from) / DAY / 7) + 1;
  const fromEnd = -(Math.floor((to - DAY - day) / DAY / 7) + 1);
  const number = Number(wanted.slice(0, -2));
  return number === fromStart || number === fromEnd;
}

/** 1970-01-01 was a Thursday. */
function weekday(day: number): number {
  return (((day / DAY + 3) % 7) + 7) % 7;
}
