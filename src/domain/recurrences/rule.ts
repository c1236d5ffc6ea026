import { invalidField, type SvcError } from "../../contract/errors.ts";
import { MAX_RULE_CHARACTERS } from "../../contract/limits.ts";
import { parsePlanningDate } from "../dates.ts";

/**
 * Recurrence rules: the parts of RFC 5545 that describe days (docs/contract/cron-and-inbox.md#122-the-rule). A rule
 * with any other part is refused before a library reads the rule, and the error names that part.
 */
export interface Rule {
  /** Stored form: upper case, without `RRULE:`. */
  readonly text: string;
  readonly freq: Frequency;
  readonly interval: number;
  readonly count: number | undefined;
  /** The last day (`YYYY-MM-DD`), or an instant after which no day may begin. */
  readonly until: string | undefined;
  readonly byDay: readonly NumberedDay[];
  readonly byMonthDay: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPos: readonly number[];
  readonly wkst: Weekday;
}

const FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `number` 0 means every such weekday, 2 the second of the month or year, -1 the last. */
export interface NumberedDay {
  readonly day: Weekday;
  readonly number: number;
}

const MAX_INTERVAL = 1000; // docs/contract/cron-and-inbox.md#122-the-rule
const MAX_COUNT = 10_000; // docs/contract/cron-and-inbox.md#122-the-rule

export function parseRule(input: string): Rule {
  if (input.length > MAX_RULE_CHARACTERS)
    throw refusal(`must be at most ${MAX_RULE_CHARACTERS} characters`);
  const text = input
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, "");
  if (text === "") throw refusal("must not be blank");
  const parts = partsOf(text);
  const freq = parts.get("FREQ");
  if (freq === undefined) throw refusal("FREQ is required");
  const until = parts.get("UNTIL");
  const count = parts.get("COUNT");
  const rule: Rule = {
    text,
    freq: oneOf("FREQ", freq, FREQUENCIES),
    interval: numberIn("INTERVAL", parts.get("INTERVAL") ?? "1", 1, MAX_INTERVAL),
    count: count === undefined ? undefined : numberIn("COUNT", count, 1, MAX_COUNT),
    until: until === undefined ? undefined : untilOf(until),
    byDay: list(parts, "BYDAY", numberedDay),
    byMonthDay: list(parts, "BYMONTHDAY", (part) => signedIn("BYMONTHDAY", part, 31)),
    byMonth: list(parts, "BYMONTH", (part) => numberIn("BYMONTH", part, 1, 12)),
    bySetPos: list(parts, "BYSETPOS", (part) => signedIn("BYSETPOS", part, 366)),
    wkst: oneOf("WKST", parts.get("WKST") ?? "MO", WEEKDAYS),
  };
  checkTogether(rule);
  return rule;
}

const RULE_PARTS: ReadonlySet<string> = new Set([
  "FREQ",
  "INTERVAL",
  "COUNT",
  "UNTIL",
  "BYDAY",
  "BYMONTHDAY",
  "BYMONTH",
  "BYSETPOS",
  "WKST",
]);

function partsOf(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(";")) {
    const [name = "", value, ...more] = part.split("=");
    if (value === undefined || value === "" || more.length > 0)
      throw refusal(`${JSON.stringify(part)} is not NAME=VALUE`);
    if (!RULE_PARTS.has(name))
      throw refusal(`${name} is not taken; parts are ${[...RULE_PARTS].join(", ")}`);
    if (parts.has(name)) throw refusal(`${name} stands twice`);
    parts.set(name, value);
  }
  return parts;
}

function checkTogether(rule: Rule): void {
  const { freq, count, until, byMonth, byMonthDay } = rule;
  if (count !== undefined && until !== undefined)
    throw refusal("COUNT and UNTIL exclude each other");
  if (freq === "WEEKLY" && byMonthDay.length > 0)
    throw refusal("BYMONTHDAY does not go with FREQ=WEEKLY");
  const isInMonth = (day: number) =>
    byMonth.some((month) => Math.abs(day) <= (LONGEST_MONTHS[month - 1] ?? 0));
  if (byMonth.length > 0 && byMonthDay.length > 0 && !byMonthDay.some(isInMonth))
    throw refusal("no month of BYMONTH has a day of BYMONTHDAY");
  const largest = Math.max(0, ...rule.byDay.map(({ number }) => Math.abs(number)));
  checkNumbers(rule, largest);
  if (rule.bySetPos.length > 0) checkPositions(rule, largest);
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function checkNumbers({ freq, byMonth }: Rule, largest: number): void {
  if (largest > 0 && freq !== "MONTHLY" && freq !== "YEARLY")
    throw refusal("BYDAY takes numbers with FREQ=MONTHLY and FREQ=YEARLY only");
  const ofYear = freq === "YEARLY" && byMonth.length === 0;
  if (largest > 5 && !ofYear) throw refusal("BYDAY counts in the month here: 1 to 5 or -5 to -1");
}

function checkPositions(
  { freq, byDay, byMonthDay, byMonth, bySetPos }: Rule,
  largest: number,
): void {
  if (byDay.length + byMonthDay.length + byMonth.length === 0)
    throw refusal("BYSETPOS needs another BY part");
  // Maximum number of days in one period; a larger BYSETPOS never matches.
  const longest = { DAILY: 1, WEEKLY: byDay.length || 1, MONTHLY: 31, YEARLY: 366 }[freq];
  if (bySetPos.some((position) => Math.abs(position) > longest))
    throw refusal(`BYSETPOS is at most ${longest} here`);
  if (freq === "YEARLY" && largest > 0 && (byMonthDay.length > 0 || largest === 53))
    throw refusal("BYSETPOS does not go with numbered days of BYMONTHDAY or with a 53rd day");
}

function list<T>(
  parts: ReadonlyMap<string, string>,
  name: string,
  of: (part: string) => T,
): readonly T[] {
  const found = parts.get(name)?.split(",") ?? [];
  return [...new Set(found)].map(of);
}

function numberedDay(part: string): NumberedDay {
  const [, number, day] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(part) ?? [];
  if (day === undefined) throw refusal(`BYDAY: ${JSON.stringify(part)} is no weekday`);
  return {
    day: oneOf("BYDAY", day, WEEKDAYS),
    number: number === undefined ? 0 : signedIn("BYDAY", number, 53),
  };
}

function oneOf<T extends string>(name: string, value: string, of: readonly T[]): T {
  const found = of.find((one) => one === value);
  if (found === undefined) throw refusal(`${name} must be one of ${of.join(", ")}`);
  return found;
}

function numberIn(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw refusal(`${name} must be ${min} to ${max}`);
}

function signedIn(name: string, text: string, max: number): number {
  const number = /^[+-]?\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (number !== 0 && Math.abs(number) <= max) return number;
  throw refusal(`${name} must be 1 to ${max} or -${max} to -1`);
}

function untilOf(text: string): string {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z)?$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const until = hour === undefined ? date : `${date}T${hour}:${minute}:${second}Z`;
  if (year !== undefined && parsePlanningDate(until) !== undefined) return until;
  throw refusal("UNTIL must be YYYYMMDD or YYYYMMDDTHHMMSSZ");
}

function refusal(reason: string): SvcError {
  return invalidField("rrule", reason);
}
