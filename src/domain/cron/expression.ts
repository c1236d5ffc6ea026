import { isIanaZone } from "../dates.ts";

/** A set of wall times. Months count from 1, and days of the week count from 0 (Sunday). */
export interface Calendar {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** True if both day fields are restricted; a day then counts if it matches either of them. */
  readonly eitherDay: boolean;
}

export type CronExpression = (
  | { readonly kind: "calendar"; readonly calendar: Calendar }
  /** `@every` is allowed only for jobs that adapters run. Native jobs use triggers of kind `interval` instead. */
  | { readonly kind: "every"; readonly everyMs: number }
) & {
  /** The zone of a `TZ=` or `CRON_TZ=` prefix. */
  readonly zone?: string;
};

/**
 * Parses five fields or a descriptor, with an optional zone prefix. Returns `undefined` for anything else
 * (docs/contract/cron-and-inbox.md#24-cron-expressions). The library cron-parser is not used, because it accepts a
 * different language and loading it would double a daemon's start time. The tests compare this parser with it.
 */
export function parseCron(text: string): CronExpression | undefined {
  const prefix = /^(?:CRON_)?TZ=(\S+)[ \t]+(.*)$/s.exec(text);
  const [zone, rest] = prefix === null ? [undefined, text] : [prefix[1], prefix[2] ?? ""];
  if (zone !== undefined && !isIanaZone(zone)) return undefined;
  const expression = rest.startsWith("@") ? descriptor(rest) : fiveFields(rest);
  if (expression === undefined) return undefined;
  return zone === undefined ? expression : { ...expression, zone };
}

const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

function descriptor(text: string): CronExpression | undefined {
  const fields = DESCRIPTORS.get(text);
  if (fields !== undefined) return fiveFields(fields);
  const duration = /^@every[ \t]+(\S+)$/.exec(text)?.[1];
  if (duration === undefined || !isPositiveDuration(duration)) return undefined;
  return { kind: "every", everyMs: wholeSeconds(duration) };
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** The duration in ms, cut to whole seconds: at least one second, at most a century. */
function wholeSeconds(duration: string): number {
  let ms = 0;
  for (const [, count, unit] of duration.matchAll(/([\d.]+)(ns|us|ms|s|m|h)/g))
    ms += Number(count) * (UNITS[unit ?? ""] ?? 0);
  const seconds = Math.floor(Math.min(ms, MOST_MS) / 1000);
  return Math.max(1, seconds) * 1000;
}

const MOST_MS = 100 * 366 * 86_400_000;

const DURATION = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|ms|s|m|h))+$/;

function isPositiveDuration(text: string): boolean {
  return DURATION.test(text) && /[1-9]/.test(text);
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of the values, starting at `min`. */
  readonly names?: readonly string[];
}

const FIELDS = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of month", min: 1, max: 31 },
  {
    name: "month",
    min: 1,
    max: 12,
    names: words("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  },
  { name: "day of week", min: 0, max: 6, names: words("SUN MON TUE WED THU FRI SAT") },
] as const satisfies readonly Field[];

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** Says what is wrong with a text that `parseCron` refuses. If one of the five fields is wrong, names that field. */
export function cronFault(text: string): string {
  const none = "is no cron expression of five fields, and no descriptor";
  const [, zone, rest = text] = /^(?:CRON_)?TZ=(\S+)[ \t]+(.*)$/s.exec(text) ?? [];
  if (zone !== undefined && !isIanaZone(zone)) return `names ${zone}, which is no IANA time zone`;
  const texts = splitFields(rest);
  if (rest.startsWith("@") || texts.length !== FIELDS.length) return none;
  for (const [at, field] of FIELDS.entries()) {
    const text = texts[at] ?? "";
    if (readField(text, field) !== undefined) continue;
    return `has ${JSON.stringify(text)} as its ${field.name} (field ${at + 1} of 5): ${allowedIn(field)}`;
  }
  return none;
}

function allowedIn(field: Field): string {
  const { min, max, names = [] } = field;
  const named = names.length === 0 ? "" : `, or ${names[0]} to ${names.at(-1)}`;
  const sunday = names[0] === "SUN" ? ", where Sunday is 0" : "";
  return `allowed is ${min} to ${max}${named}${sunday}, * and ?, lists (a,b), ranges (a-b) and steps (/n)`;
}

function splitFields(text: string): readonly string[] {
  return text.split(/[ \t]+/).filter((part) => part !== "");
}

function fiveFields(text: string): CronExpression | undefined {
  const texts = splitFields(text);
  if (texts.length !== FIELDS.length) return undefined;
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, at) =>
    readField(texts[at] ?? "", field),
  );
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const calendar: Calendar = {
    minutes: sorted(minutes.values),
    hours: sorted(hours.values),
    days: days.values,
    months: months.values,
    weekdays: weekdays.values,
    eitherDay: days.restricted && weekdays.restricted,
  };
  return { kind: "calendar", calendar };
}

function sorted(values: ReadonlySet<number>): readonly number[] {
  return [...values].sort((a, b) => a - b);
}

interface FieldSet {
  readonly values: ReadonlySet<number>;
  /** True if no part of the field is `*` or `?` with step 1. */
  readonly restricted: boolean;
}

function readField(text: string, field: Field): FieldSet | undefined {
  const values = new Set<number>();
  let restricted = true;
  for (const part of text.split(",")) {
    const range = readRange(part, field);
    if (range === undefined) return undefined;
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
    if (range.any && range.step === 1) restricted = false;
  }
  return { values, restricted };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly any: boolean;
}

const PART = /^(?:([*?])|([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?)(?:\/(\d+))?$/;

/** `a/n` means every n-th value from `a` to the end of the field. `a` alone is one value. */
function readRange(part: string, field: Field): Range | undefined {
  const match = PART.exec(part);
  if (match === null) return undefined;
  const [, any, first, last, steps] = match;
  const step = steps === undefined ? 1 : Number(steps);
  if (step < 1) return undefined;
  if (any !== undefined) return { from: field.min, to: field.max, step, any: true };
  const from = readValue(first ?? "", field);
  const to = last === undefined ? (steps === undefined ? from : field.max) : readValue(last, field);
  if (from === undefined || to === undefined || from > to) return undefined;
  return { from, to, step, any: false };
}

function readValue(text: string, { min, max, names = [] }: Field): number | undefined {
  const named = names.indexOf(text.toUpperCase());
  if (named !== -1) return min + named;
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}
