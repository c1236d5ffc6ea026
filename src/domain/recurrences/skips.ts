import { SvcError } from "../../contract/errors.ts";
import type { Timing } from "./definition.ts";
import { parseRule, type Rule, WEEKDAYS } from "./rule.ts";

/**
 * Says which months or years the rule skips because they lack its day: April has no 31st, and most months have no fifth
 * Monday. `undefined` if it skips none. Months and days that the rule itself excludes are not reported.
 */
export function skipsOf({ rrule, dtstart }: Pick<Timing, "rrule" | "dtstart">): string | undefined {
  const rule = readRule(rrule);
  if (rule === undefined) return undefined;
  if (rule.bySetPos.length > 0) return undefined;
  if (rule.byDay.length > 0) return rule.byMonthDay.length > 0 ? undefined : skippedWeekdays(rule);
  if (rule.freq === "MONTHLY") return skippedMonths(rule, dtstart);
  return rule.freq === "YEARLY" ? skippedYears(rule, dtstart) : undefined;
}

/**
 * Parses a rule, or returns `undefined`. A rule from a log may be of a kind that this version does not support, and
 * must still be shown.
 */
function readRule(rrule: string): Rule | undefined {
  try {
    return parseRule(rrule);
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

const DAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The number of days of each month; February has 29 in leap years only. */
const SHORTEST_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Every month has at least four of each weekday. So only the fifth of a weekday, from either end, may be missing. */
function skippedWeekdays({ freq, byDay, byMonth }: Rule): string | undefined {
  const ofMonth = freq === "MONTHLY" || (freq === "YEARLY" && byMonth.length > 0);
  if (!ofMonth || !byDay.every(({ number }) => Math.abs(number) === 5)) return undefined;
  const days = byDay.map(({ day }) => `fifth ${DAY_NAMES[WEEKDAYS.indexOf(day)]}`);
  return `months without a ${days.join(" or ")}`;
}

function skippedMonths(rule: Rule, dtstart: string): string | undefined {
  const days = daysOf(rule, dtstart);
  const short = monthsOf(rule, dtstart).filter((month) => !hasAny(month, days));
  if (short.length === 0) return undefined;
  const names = short.map((month) =>
    month === 2 && days.some((day) => Math.abs(day) === 29)
      ? "February but in leap years"
      : (MONTH_NAMES[month - 1] ?? ""),
  );
  return `months without that day (${names.join(", ")}); BYMONTHDAY=-1 is the last day of every month`;
}

function skippedYears(rule: Rule, dtstart: string): string | undefined {
  const month = Number(dtstart.slice(5, 7));
  const months =
    rule.byMonth.length > 0 ? rule.byMonth : rule.byMonthDay.length > 0 ? ALL_MONTHS : [month];
  const days = daysOf(rule, dtstart);
  const isLeapOnly = months.every((one) => !hasAny(one, days));
  return isLeapOnly && months.includes(2) ? "years that are no leap years" : undefined;
}

const ALL_MONTHS = MONTH_NAMES.map((_, at) => at + 1);

function daysOf({ byMonthDay }: Rule, dtstart: string): readonly number[] {
  return byMonthDay.length > 0 ? byMonthDay : [Number(dtstart.slice(8, 10))];
}

function hasAny(month: number, days: readonly number[]): boolean {
  return days.some((day) => Math.abs(day) <= (SHORTEST_LENGTHS[month - 1] ?? 0));
}

/** The months in which a monthly rule can have days. With `INTERVAL=2` from January it is every second month. */
function monthsOf({ interval, byMonth }: Rule, dtstart: string): readonly number[] {
  const first = Number(dtstart.slice(5, 7)) - 1;
  const reached = new Set(ALL_MONTHS.map((_, at) => ((first + at * interval) % 12) + 1));
  return ALL_MONTHS.filter(
    (month) => reached.has(month) && (byMonth.length === 0 || byMonth.includes(month)),
  );
}
