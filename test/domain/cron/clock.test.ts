import { CronExpressionParser } from "cron-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../../src/base/clock.ts";
import { calendarAfter } from "../../../src/domain/cron/calendar.ts";
import { type Calendar, cronFault, parseCron } from "../../../src/domain/cron/expression.ts";
import { everyMinute, type Wall } from "./every-minute.ts";

function calendarOf(expression: string): Calendar {
  const parsed = parseCron(expression);
  if (parsed?.kind !== "calendar") throw new Error(`${expression} is no calendar`);
  return parsed.calendar;
}

function first(expression: string, zone: string, from: string, count: number): readonly string[] {
  const found: string[] = [];
  for (const ms of calendarAfter(calendarOf(expression), zone, instantToMs(from))) {
    if (found.push(msToInstant(ms)) === count) break;
  }
  return found;
}

/** Expands `03-07T07:30Z` with the year; also accepts a whole day. */
const full = (year: number) => (short: string) => {
  const text = /^\d{4}/.test(short) ? short : `${year}-${short}`;
  return text.includes("T") ? text.replace("Z", ":00.000Z") : `${text}T00:00:00.000Z`;
};

describe("cron expressions (docs/contract/cron-and-inbox.md#33-expressions)", () => {
  test.each([
    "0 9 * * 1-5",
    "0 9 * JAN MON-FRI",
    "0 9 * jan mon-fri",
    "*/15 0-6,18-23/2 ? * *",
    "5/20 * * * *",
    "0 0 31 2 *",
    "59 23 31 12 6",
    "0 0 1 1 0",
    "0\t9  * * *",
    "@hourly",
    "@daily",
    "@midnight",
    "@weekly",
    "@monthly",
    "@yearly",
    "@annually",
    "@every 90m",
    "@every 1h30m",
    "@every 1.5h",
    "@every 1ns",
    "TZ=America/New_York 0 9 * * *",
    "CRON_TZ=Europe/Berlin @daily",
  ])("%j is valid", (text) => {
    expect(parseCron(text)).toBeDefined();
  });

  test.each([
    "@every nonsense",
    "@every 0s",
    "@every 0h0m",
    "@every -1h",
    "@every 5",
    "@every 5d",
    "@every",
    "@invented",
    "@Daily",
    "@secondly",
    "@reboot",
    "@weekdays",
    "61 * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 13 *",
    "* * * 0 *",
    "* * * * 7",
    "* * * * * *",
    "* * * *",
    "",
    " ",
    "*/0 * * * *",
    "10-5 * * * *",
    "1,,2 * * * *",
    "1, * * * *",
    "-5 * * * *",
    "1.5 * * * *",
    "*-5 * * * *",
    "1-2-3 * * * *",
    "1/2/3 * * * *",
    "FRI-MON * * * *",
    "* * * * FRI-MON",
    "0 0 L * *",
    "0 0 15W * *",
    "0 0 * * 1#2",
    "H * * * *",
    "0 9 * monday *",
    "TZ=Not/AZone 0 9 * * *",
    "TZ=America/New_York",
    "TZ= 0 9 * * *",
    "TZ=america/new_york 0 9 * * *",
    "tz=UTC 0 9 * * *",
    "0\n9 * * *",
  ])("%j is invalid", (text) => {
    expect(parseCron(text)).toBeUndefined();
  });

  test.each([
    [
      "0 9 * * 7",
      'has "7" as its day of week (field 5 of 5): allowed is 0 to 6, or SUN to SAT, where Sunday is 0,',
    ],
    ["TZ=UTC 0 9 * * 1-7", 'has "1-7" as its day of week (field 5 of 5)'],
    ["60 9 * * *", 'has "60" as its minute (field 1 of 5): allowed is 0 to 59, * and ?,'],
    ["0 24 * * *", 'has "24" as its hour (field 2 of 5): allowed is 0 to 23,'],
    ["0 9 0 * *", 'has "0" as its day of month (field 3 of 5): allowed is 1 to 31,'],
    ["0 9 * 13 8", 'has "13" as its month (field 4 of 5): allowed is 1 to 12, or JAN to DEC,'],
    ["TZ=Nowhere 0 9 * * *", "names Nowhere, which is no IANA time zone"],
    ["0 9 * *", "is no cron expression of five fields"],
    ["@sometimes", "is no cron expression of five fields"],
  ])("the error names what is wrong with %j", (text, fault) => {
    expect(parseCron(text)).toBeUndefined();
    expect(cronFault(text)).toContain(fault);
  });

  test("a time zone written before the expression is reported", () => {
    expect(parseCron("CRON_TZ=Europe/Berlin 0 9 * * *")).toMatchObject({ zone: "Europe/Berlin" });
    expect(parseCron("0 9 * * *")).not.toHaveProperty("zone");
  });

  test("steps start at the first value and end at the last of the field or range", () => {
    const { minutes, hours } = calendarOf("5/20 1-10/4 * * *");
    expect({ minutes, hours }).toEqual({ minutes: [5, 25, 45], hours: [1, 5, 9] });
    expect(calendarOf("0 18-23/2,0-6 * * *").hours).toEqual([0, 1, 2, 3, 4, 5, 6, 18, 20, 22]);
  });

  test("the library cron-parser reads the same values from every expression that both accept", () => {
    // Each field has one part only, because cron-parser refuses values that occur twice.
    const range = (min: number, max: number) =>
      fc.tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min: 1, max: 20 }));
    const closed = (min: number, max: number) =>
      range(min, max).chain(([a, b, step]) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        return fc.constantFrom("*", `${a}`, `${from}-${to}`, `${from}-${to}/${step}`, `*/${step}`);
      });
    const field = (min: number, max: number) =>
      fc.oneof(
        closed(min, max),
        range(min, max).map(([from, , step]) => `${from}/${step}`),
      );
    // cron-parser also accepts 7 as Sunday, and continues steps from a weekday up to 7.
    const fields = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), closed(0, 6));
    fc.assert(
      fc.property(fields, (parts) => {
        const expression = parts.join(" ");
        const theirs = CronExpressionParser.parse(expression).fields;
        const ours = calendarOf(expression);
        expect(ours.minutes).toEqual(theirs.minute.values);
        expect(ours.hours).toEqual(theirs.hour.values);
        // cron-parser leaves out days that no month of the expression has.
        const days = [...ours.days].filter((day) => day <= 28).sort(byNumber);
        expect(days).toEqual(theirs.dayOfMonth.values.filter((day) => Number(day) <= 28));
        expect([...ours.months].sort(byNumber)).toEqual(theirs.month.values);
        const weekdays = theirs.dayOfWeek.values.map((value) => Number(value) % 7);
        expect([...ours.weekdays].sort(byNumber)).toEqual([...new Set(weekdays)].sort(byNumber));
      }),
    );
  });
});

const byNumber = (a: number, b: number): number => a - b;

describe("the next occurrences of a cron expression (docs/contract/cron-and-inbox.md#91-next-occurrences)", () => {
  const NY = "America/New_York";
  test.each([
    ["30 2 * * *", NY, "2026-03-07T00:00Z", "03-07T07:30Z 03-09T06:30Z 03-10T06:30Z"],
    ["0 * * * *", NY, "2026-03-08T05:00Z", "03-08T06:00Z 03-08T07:00Z 03-08T08:00Z 03-08T09:00Z"],
    [
      "*/30 * * * *",
      NY,
      "2026-03-08T06:00Z",
      "03-08T06:30Z 03-08T07:00Z 03-08T07:30Z 03-08T08:00Z 03-08T08:30Z",
    ],
    ["0 3 * * *", NY, "2026-03-07T00:00Z", "03-07T08:00Z 03-08T07:00Z 03-09T07:00Z"],
    ["30 1 * * *", NY, "2026-10-31T00:00Z", "10-31T05:30Z 11-01T05:30Z 11-01T06:30Z 11-02T06:30Z"],
    ["0 * * * *", NY, "2026-11-01T04:00Z", "11-01T05:00Z 11-01T06:00Z 11-01T07:00Z 11-01T08:00Z"],
    ["0 2 * * *", NY, "2026-10-31T00:00Z", "10-31T06:00Z 11-01T07:00Z 11-02T07:00Z"],
    ["30 2 * * *", "Europe/Berlin", "2026-03-28T00:00Z", "03-28T01:30Z 03-30T00:30Z"],
    [
      "30 2 * * *",
      "Europe/Berlin",
      "2026-10-24T00:00Z",
      "10-24T00:30Z 10-25T00:30Z 10-25T01:30Z 10-26T01:30Z",
    ],
    ["0 9 * * 1-5", NY, "2026-03-05T00:00Z", "03-05T14:00Z 03-06T14:00Z 03-09T13:00Z"],
    ["0 0 * * *", "Asia/Kolkata", "2026-08-01T00:00Z", "08-01T18:30Z 08-02T18:30Z"],
    ["0 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", "10-04T15:00Z 10-05T15:00Z"],
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-02T00:00Z", "10-02T15:45Z 10-04T15:15Z"],
    ["0 0 * * *", "America/Santiago", "2026-09-04T12:00Z", "09-05T04:00Z 09-07T03:00Z"],
    ["0 0 13 * 5", "UTC", "2026-08-01T00:00Z", "08-07 08-13 08-14 08-21 08-28"],
    ["0 0 */2 * 1", "UTC", "2026-08-01T00:00Z", "08-03 08-05 08-07 08-09 08-10"],
    ["0 0 31 * *", "UTC", "2026-08-01T00:00Z", "08-31 10-31 12-31"],
    ["0 0 29 2 *", "UTC", "2026-08-01T00:00Z", "2028-02-29"],
    ["0 0 29 2 *", "Asia/Kolkata", "2024-02-29T00:00Z", "2028-02-28T18:30Z"],
    ["0 0 1 1 *", "UTC", "2026-01-01T00:00Z", "2027-01-01"],
  ])("the next occurrences of %s in %s after %s are %s", (expression, zone, from, expected) => {
    const wanted = expected.split(" ").map(full(2026));
    expect(first(expression, zone, from, wanted.length)).toEqual(wanted);
  });

  test("a date that never exists is no occurrence, and the search for it ends", () => {
    expect(first("0 0 31 2 *", "UTC", "2026-08-01T00:00Z", 1)).toEqual([]);
    expect([...calendarAfter(calendarOf("0 0 31 2 *"), "Europe/Berlin", 0)]).toEqual([]);
  });

  test("an occurrence at the given instant counts as past, and one a millisecond later does not", () => {
    const at = "2026-08-01T09:00:00.000Z";
    expect(first("0 9 * * *", "UTC", at, 1)).toEqual(["2026-08-02T09:00:00.000Z"]);
    expect(first("0 9 * * *", "UTC", "2026-08-01T08:59:59.999Z", 1)).toEqual([at]);
  });

  test("a day that a zone skipped has no occurrence, and a clock change past midnight keeps the order", () => {
    // In Apia the day after 29 December 2011 was the 31st.
    expect(first("0 12 * * *", "Pacific/Apia", "2011-12-29T00:00Z", 2)).toEqual([
      "2011-12-29T22:00:00.000Z",
      "2011-12-30T22:00:00.000Z",
    ]);
    // In St John's, clocks went back from 00:01 to 23:01 of the day before.
    expect(first("0,30 23,0 * * *", "America/St_Johns", "2010-11-07T01:00Z", 6)).toEqual([
      "2010-11-07T01:30:00.000Z",
      "2010-11-07T02:00:00.000Z",
      "2010-11-07T02:30:00.000Z",
      "2010-11-07T03:00:00.000Z",
      "2010-11-07T03:30:00.000Z",
      "2010-11-07T04:00:00.000Z",
    ]);
  });
});

describe("ten years of a zone, checked minute by minute", () => {
  const SCHEDULES: readonly (readonly [string, (wall: Wall) => boolean])[] = [
    ["0 * * * *", ({ minute }) => minute === 0],
    ["30 2 * * *", ({ hour, minute }) => hour === 2 && minute === 30],
    ["15 1 * * 0", ({ weekday, hour, minute }) => weekday === 0 && hour === 1 && minute === 15],
    ["0 0 31 * *", ({ day, hour, minute }) => day === 31 && hour === 0 && minute === 0],
    [
      "*/30 0-2 13 3,10,11 SUN",
      ({ minute, hour, day, month, weekday }) =>
        minute % 30 === 0 &&
        hour <= 2 &&
        [3, 10, 11].includes(month) &&
        (day === 13 || weekday === 0),
    ],
  ];

  test.each([
    ["America/New_York"],
    ["Europe/Berlin"],
    // Daylight saving of half an hour.
    ["Australia/Lord_Howe"],
    // Ended daylight saving in 2016, and changed its offset at the same time.
    ["Europe/Istanbul"],
    // Sets its clocks back for a month, on other dates each year; the rule changed in 2018.
    ["Africa/Casablanca"],
    // Changes at midnight, by rules that changed in 2019 and 2022.
    ["America/Santiago"],
  ])("have the expected occurrences in %s", (zone) => {
    const [from, to] = ["2014-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"];
    const expected = everyMinute(
      SCHEDULES.map(([, matches]) => matches),
      zone,
      from,
      to,
    );
    for (const [at, [expression]] of SCHEDULES.entries()) {
      const found: string[] = [];
      for (const ms of calendarAfter(calendarOf(expression), zone, instantToMs(from) - 1)) {
        if (ms >= instantToMs(to)) break;
        found.push(msToInstant(ms));
      }
      expect(found, expression).toEqual(expected[at]);
    }
  });
});
