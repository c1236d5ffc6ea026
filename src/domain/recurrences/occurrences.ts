import { RRuleTemporal } from "rrule-temporal";
import { invariant } from "../../base/invariant.ts";
import { resolvePlanningDate } from "../dates.ts";
import { addDays, weekdayOf } from "./days.ts";
import { parseRule, type Rule } from "./rule.ts";

export interface Series {
  readonly rrule: string;
  /** `YYYY-MM-DD`. This day belongs to the series only if the rule matches it. */
  readonly dtstart: string;
  readonly timezone: string;
}

/** The first day of a series as `YYYY-MM-DD`, or `undefined` if the rule has none. */
export function firstKey(series: Series): string | undefined {
  return nextOf(parseRule(series.rrule), series, addDays(series.dtstart, -1));
}

export function keyAfter(series: Series, after: string): string | undefined {
  if (after < series.dtstart) return firstKey(series);
  return nextOf(parseRule(series.rrule), series, after);
}

/**
 * How far to look for the next day, in years for each step of the rule's interval: 50 years for `INTERVAL=1`, 100 for
 * `INTERVAL=2`. If no day is found by then, the series has ended.
 */
const YEARS_AHEAD = 50;
const LAST_DAY = "9999-12-31";

function nextOf(rule: Rule, { dtstart, timezone }: Series, after: string): string | undefined {
  const until = horizonOf(after, rule.interval);
  const found = isStrict(rule)
    ? strictNext(rule, dtstart, after, until)
    : daysOf(rule, dtstart, until)(after);
  return found === undefined || found > lastDay(rule, timezone) ? undefined : found;
}

function horizonOf(from: string, interval: number): string {
  const year = Number(from.slice(0, 4)) + YEARS_AHEAD * interval;
  return year > 9999 ? LAST_DAY : `${String(year).padStart(4, "0")}-12-31`;
}

/**
 * Returns a function that asks rrule-temporal for the next day of the rule after a given day. Days are computed at
 * midnight in UTC; the zone of the series matters only where days become instants. `UNTIL` is handled elsewhere
 * (`lastDay`), since it may be an instant.
 */
function daysOf(rule: Rule, dtstart: string, until: string): (after: string) => string | undefined {
  const occurrences = new RRuleTemporal({
    freq: rule.freq,
    interval: rule.interval,
    wkst: rule.wkst,
    dtstart: midnight(dtstart),
    tzid: "UTC",
    cache: false,
    maxIterations: 1_000_000,
    until: midnight(until),
    ...(rule.count === undefined ? {} : { count: rule.count }),
    ...(rule.byDay.length === 0 ? {} : { byDay: [...dayTexts(rule)] }),
    ...(rule.byMonthDay.length === 0 ? {} : { byMonthDay: [...rule.byMonthDay] }),
    ...(rule.byMonth.length === 0 ? {} : { byMonth: [...rule.byMonth] }),
    ...(rule.bySetPos.length === 0 ? {} : { bySetPos: [...rule.bySetPos] }),
  });
  return (after) => {
    const found = occurrences.next(midnight(after))?.toString();
    // A year with more than four digits is written with a sign.
    return found === undefined || found.startsWith("+") ? undefined : found.slice(0, 10);
  };
}

/**
 * True for rules that rrule-temporal computes wrongly. For the 53rd of a weekday in a year that has only 52, it returns
 * the first one of the next year. It ignores BYMONTHDAY together with numbered weekdays of a year, and unnumbered
 * weekdays together with numbered ones. For such a rule, svc passes a wider rule to the library and filters the days
 * that it returns.
 */
function isStrict(rule: Rule): boolean {
  if (rule.bySetPos.length > 0) return false;
  const numbers = rule.byDay.map(({ number }) => Math.abs(number));
  const ofYear = rule.freq === "YEARLY" && numbers.some((number) => number > 0);
  return isMixed(rule) || (ofYear && (rule.byMonthDay.length > 0 || numbers.includes(53)));
}

function isMixed({ byDay }: Rule): boolean {
  return byDay.some(({ number }) => number === 0) && byDay.some(({ number }) => number !== 0);
}

/** A wider rule that rrule-temporal computes correctly and that includes all wanted days. */
function widenedRule(rule: Rule): Rule {
  if (!isMixed(rule)) return { ...rule, byMonthDay: [], count: undefined };
  const byDay = rule.byDay.map(({ day }) => ({ day, number: 0 }));
  return { ...rule, byDay, count: undefined };
}

function strictNext(rule: Rule, dtstart: string, after: string, until: string): string | undefined {
  const next = daysOf(widenedRule(rule), dtstart, until);
  const before = addDays(dtstart, -1);
  let seen = 0;
  // Only a rule with COUNT must be computed from its first day.
  let day = next(rule.count === undefined && after > before ? after : before);
  while (day !== undefined) {
    if (isGiven(rule, day)) {
      seen += 1;
      if (rule.count !== undefined && seen > rule.count) return undefined;
      if (day > after) return day;
    }
    day = next(day);
  }
  return undefined;
}

/** Whether a day of the wider rule matches the month days and numbered weekdays of the rule. */
function isGiven({ freq, byDay, byMonth, byMonthDay }: Rule, day: string): boolean {
  const span = freq === "YEARLY" && byMonth.length === 0 ? "year" : "month";
  const numbered = byDay.some(
    (wanted) =>
      wanted.day === weekdayOf(day) && (wanted.number === 0 || isNumber(day, wanted.number, span)),
  );
  return (
    numbered && (byMonthDay.length === 0 || byMonthDay.some((wanted) => isMonthDay(day, wanted)))
  );
}

/**
 * True if the day is the `number`th of its weekday in its year or month, counted from the end if `number` is negative.
 */
function isNumber(day: string, number: number, span: "year" | "month"): boolean {
  const spanOf = (other: string): string => other.slice(0, span === "year" ? 4 : 7);
  const week = number > 0 ? -7 : 7;
  const weeks = Math.abs(number);
  return (
    spanOf(addDays(day, week * (weeks - 1))) === spanOf(day) &&
    spanOf(addDays(day, week * weeks)) !== spanOf(day)
  );
}

/** -1 is the last day of the month. */
function isMonthDay(day: string, wanted: number): boolean {
  if (wanted > 0) return Number(day.slice(8)) === wanted;
  const [last, next] = [addDays(day, -wanted - 1), addDays(day, -wanted)];
  return last.slice(0, 7) === day.slice(0, 7) && next.slice(0, 7) !== day.slice(0, 7);
}

/** The last day whose beginning, in the zone of the series, is not after UNTIL. */
function lastDay({ until }: Rule, timezone: string): string {
  if (until === undefined) return LAST_DAY;
  if (!until.endsWith("Z")) return until;
  const instant = resolvePlanningDate(until, "UTC");
  invariant(instant !== undefined, "the instant of a rule was checked when it was read");
  let day = addDays(until.slice(0, 10), 2);
  while ((resolvePlanningDate(day, timezone) ?? LAST_DAY) > instant) day = addDays(day, -1);
  return day;
}

interface Zoned {
  readonly timeZoneId: string;
  toString(): string;
}

/** A day in the form that rrule-temporal takes. */
function midnight(day: string): Zoned {
  return { timeZoneId: "UTC", toString: () => `${day}T00:00:00+00:00[UTC]` };
}

/**
 * The weekdays as rrule-temporal takes them. If the rule has a weekday with a number (`2TU`), a weekday without a
 * number (`MO`) is written with each number that it can have (`1MO`, `2MO` … `-1MO`), since the library would otherwise
 * leave it out of a yearly rule.
 */
function dayTexts({ freq, byDay, byMonth }: Rule): readonly string[] {
  const last = freq === "YEARLY" && byMonth.length === 0 ? 52 : 4;
  const numbered = byDay.some(({ number }) => number !== 0);
  const texts = byDay.flatMap(({ day, number }) => {
    if (number !== 0) return [`${number}${day}`];
    if (!numbered) return [day];
    return [...Array.from({ length: last }, (_, at) => `${at + 1}${day}`), `-1${day}`];
  });
  return [...new Set(texts)];
}
