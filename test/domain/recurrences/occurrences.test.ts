import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../../src/base/clock.ts";
import { SvcError } from "../../../src/contract/errors.ts";
import { resolvePlanningDate } from "../../../src/domain/dates.ts";
import { addDays } from "../../../src/domain/recurrences/days.ts";
import { firstKey, keyAfter } from "../../../src/domain/recurrences/occurrences.ts";
import { parseRule } from "../../../src/domain/recurrences/rule.ts";
import { type WalkRule, walkDays } from "./day-walk.ts";

/** Returns every day of a series up to an end, by asking for the next day after each. */
function keysOf(rrule: string, dtstart: string, end: string, timezone = "UTC"): readonly string[] {
  const series = { rrule, dtstart, timezone };
  const keys: string[] = [];
  let key = firstKey(series);
  while (key !== undefined && key <= end) {
    keys.push(key);
    key = keyAfter(series, key);
  }
  return keys;
}

function textOf(rule: WalkRule): string {
  const parts = {
    FREQ: rule.freq,
    INTERVAL: rule.interval,
    COUNT: rule.count,
    BYMONTH: rule.byMonth,
    BYMONTHDAY: rule.byMonthDay,
    BYDAY: rule.byDay,
    BYSETPOS: rule.bySetPos,
    WKST: rule.wkst,
  };
  const said = Object.entries(parts).filter(([, value]) => value !== undefined);
  return said.map(([name, value]) => `${name}=${String(value)}`).join(";");
}

describe("the next day of a series", () => {
  // The example table of docs/contract/cron-and-inbox.md#122-the-rule.
  test.each([
    ["FREQ=DAILY", "2026-05-15", "2026-05-15", "2026-05-16"],
    ["FREQ=WEEKLY", "2026-05-15", "2026-05-15", "2026-05-22"],
    ["FREQ=MONTHLY;BYMONTHDAY=15", "2026-05-15", "2026-05-15", "2026-06-15"],
    ["FREQ=WEEKLY;BYDAY=MO,WE,FR", "2026-05-11", "2026-05-11", "2026-05-13"],
    ["FREQ=MONTHLY;BYDAY=-1FR", "2026-05-29", "2026-05-29", "2026-06-26"],
    ["FREQ=WEEKLY;INTERVAL=2", "2026-05-15", "2026-05-15", "2026-05-29"],
    ["FREQ=DAILY;COUNT=2", "2026-05-15", "2026-05-16", undefined],
    ["FREQ=DAILY;UNTIL=20260520T000000Z", "2026-05-15", "2026-05-20", undefined],
    // Each end from its other side: the last day is still found, and none after it.
    ["FREQ=DAILY;COUNT=2", "2026-05-15", "2026-05-15", "2026-05-16"],
    ["FREQ=DAILY;UNTIL=20260520T000000Z", "2026-05-15", "2026-05-19", "2026-05-20"],
    ["FREQ=DAILY;UNTIL=20260520", "2026-05-15", "2026-05-19", "2026-05-20"],
    ["FREQ=DAILY;UNTIL=20260520", "2026-05-15", "2026-05-20", undefined],
    // Asked from a day before the series begins.
    ["FREQ=DAILY", "2026-05-15", "2026-01-01", "2026-05-15"],
    ["FREQ=YEARLY", "2024-02-29", "2024-02-29", "2028-02-29"],
    ["FREQ=MONTHLY", "2026-01-31", "2026-01-31", "2026-03-31"],
    ["FREQ=YEARLY;INTERVAL=1000", "2026-01-01", "9026-01-01", undefined],
    ["FREQ=YEARLY;BYDAY=53TU", "2026-01-01", "2030-12-31", "2036-12-30"],
  ])("for the rule %s from %s, the next day after %s is %s", (rrule, dtstart, after, next) => {
    expect(keyAfter({ rrule, dtstart, timezone: "UTC" }, after)).toBe(next);
  });

  test.each([
    ["FREQ=WEEKLY;BYDAY=MO", "2026-05-15", "2026-05-18"],
    ["FREQ=DAILY", "2026-05-15", "2026-05-15"],
    ["FREQ=DAILY;UNTIL=20260514", "2026-05-15", undefined],
    ["FREQ=DAILY;UNTIL=20260515", "2026-05-15", "2026-05-15"],
    ["FREQ=DAILY;INTERVAL=7;BYDAY=MO", "2026-05-15", undefined],
    ["FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "2026-01-01", undefined],
    ["FREQ=DAILY;COUNT=3;INTERVAL=7;BYDAY=MO", "2026-05-15", undefined],
  ])("the first day of the rule %s from %s is %s", (rrule, dtstart, first) => {
    expect(firstKey({ rrule, dtstart, timezone: "UTC" })).toBe(first);
  });

  test.each([
    ["America/New_York", "20260520T035959Z", "2026-05-19"],
    ["America/New_York", "20260520T040000Z", "2026-05-20"],
    ["Asia/Tokyo", "20260519T145959Z", "2026-05-19"],
    ["Asia/Tokyo", "20260519T150000Z", "2026-05-20"],
    ["Pacific/Kiritimati", "20260519T100000Z", "2026-05-20"],
    // In Cairo that day begins at 01:00, because midnight is skipped.
    ["Africa/Cairo", "20260423T215959Z", "2026-04-23"],
    ["Africa/Cairo", "20260423T220000Z", "2026-04-24"],
  ])("in %s, a daily series with UNTIL=%s ends on %s", (zone, until, last) => {
    const rrule = `FREQ=DAILY;UNTIL=${until}`;
    expect(keysOf(rrule, "2026-04-01", "2026-12-31", zone).at(-1)).toBe(last);
  });
});

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo", // changed its offset at midnight, until 2019
  "Australia/Lord_Howe", // changes its offset by 30 minutes
  "Africa/Casablanca", // changes its offset for Ramadan, on other dates each year
  "Asia/Beirut", // changes its offset at midnight
  "Pacific/Apia", // had daylight saving from 2010 to 2021
  "Asia/Kathmandu",
] as const;

const RULES: readonly WalkRule[] = [
  { freq: "DAILY" },
  { freq: "WEEKLY", byDay: ["MO", "WE", "FR"] },
  { freq: "WEEKLY", interval: 2, byDay: ["SU", "MO"], wkst: "SU" },
  { freq: "MONTHLY", byMonthDay: [31, -1] },
  { freq: "MONTHLY", byDay: ["MO", "TU", "WE", "TH", "FR"], bySetPos: [-1] },
  { freq: "YEARLY", byMonth: [3, 10], byDay: ["-1SU"] },
  { freq: "YEARLY", byDay: ["53SU", "-53MO", "20WE"] },
];

describe("ten years of a series", () => {
  test.each(ZONES)("have the same days and midnights as another implementation in %s", (zone) => {
    for (const rule of RULES) {
      const days = walkDays(rule, "2015-06-01", "2025-05-31");
      const keys = keysOf(textOf(rule), "2015-06-01", "2025-05-31", zone);
      expect(keys).toEqual(days);
      const instants = keys.map((key) => resolvePlanningDate(key, zone));
      expect(instants).toEqual(days.map((day) => firstInstantOf(day, zone)));
      // With an end at midnight, the day that begins at that moment is the last one.
      for (const at of [0, 1, Math.floor(days.length / 2), days.length - 1]) {
        const [instant = "", last = ""] = [instants[at], days[at]];
        const until = instant.replaceAll(/[-:]|\.000/g, "");
        const ended = {
          rrule: `${textOf(rule)};UNTIL=${until}`,
          dtstart: "2015-06-01",
          timezone: zone,
        };
        expect([keyAfter(ended, days[at - 1] ?? "2015-01-01"), keyAfter(ended, last)]).toEqual([
          last,
          undefined,
        ]);
      }
    }
  });
});

/** Returns the first minute of the day in the zone. It searches from 15 hours before to 15 hours after midnight UTC. */
function firstInstantOf(day: string, zone: string): string {
  const format = formatOf(zone);
  const midnight = instantToMs(`${day}T00:00:00.000Z`);
  let [low, high] = [midnight - 15 * 3_600_000, midnight + 15 * 3_600_000];
  while (high - low > 60_000) {
    const middle = Math.floor((low + high) / 120_000) * 60_000;
    if (format.format(middle) < day) low = middle;
    else high = middle;
  }
  return msToInstant(high);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The locale `sv-SE` writes a day as `YYYY-MM-DD`. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone: zone });
  formats.set(zone, known);
  return known;
}

const NAMES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const few = <T>(from: readonly T[], max: number) =>
  fc.uniqueArray(fc.constantFrom(...from), { minLength: 1, maxLength: max });

const rules = fc.record(
  {
    freq: fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
    interval: fc.integer({ min: 1, max: 6 }),
    count: fc.integer({ min: 1, max: 30 }),
    byMonth: few([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 4),
    byMonthDay: few([1, 2, 15, 28, 29, 30, 31, -1, -2, -15, -28, -29, -30, -31], 4),
    byDay: few([...NAMES, "1MO", "2TU", "5FR", "-1SU", "-5WE", "20TH", "53SA", "-53MO"], 4),
    bySetPos: few([1, 2, 3, 5, -1, -2, -5], 2),
    wkst: fc.constantFrom(...NAMES),
  },
  { requiredKeys: ["freq"] },
);

test("random rules that svc accepts give the same days as a walk over every day", () => {
  let taken = 0;
  fc.assert(
    fc.property(rules, fc.integer({ min: 0, max: 2920 }), (rule, later) => {
      const dtstart = addDays("2020-01-01", later);
      const end = `${Number(dtstart.slice(0, 4)) + 10}-12-31`;
      const text = textOf(rule);
      if (!isTaken(text)) return;
      taken += 1;
      const days = walkDays(rule, dtstart, end);
      expect(keysOf(text, dtstart, days[40] ?? end).slice(0, 40)).toEqual(days.slice(0, 40));
      // The other days are not asked for one by one: one call goes to the last days.
      const series = { rrule: text, dtstart, timezone: "UTC" };
      const late = days.slice(-2);
      const next = keyAfter(series, late[0] ?? dtstart);
      expect(next === undefined || next > end ? undefined : next).toBe(late[1]);
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(80);
});

function isTaken(text: string): boolean {
  try {
    parseRule(text);
    return true;
  } catch (error) {
    if (error instanceof SvcError) return false;
    throw error;
  }
}
