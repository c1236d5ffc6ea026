import { formatInTimeZone } from "date-fns-tz/formatInTimeZone";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { resolvePlanningDate } from "../../src/domain/dates.ts";
import { saidDate, type WeekdayDirection } from "../../src/domain/said-dates.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "America/St_Johns",
];

const said = (text: string, at: string, zone = "UTC", looking: WeekdayDirection = "ahead") =>
  saidDate(text, { ms: instantToMs(at), zone }, looking);

describe("a word for a date", () => {
  // 2026-11-23 is a Monday.
  const NOON = "2026-11-23T12:00:00.000Z";

  test.each([
    ["today", "2026-11-23"],
    ["Tomorrow", "2026-11-24"],
    ["YESTERDAY", "2026-11-22"],
    [" next  week ", "2026-11-30"],
    ["next month", "2026-12-01"],
    ["eod", "2026-11-23T23:59:59"],
    ["now", "2026-11-23T12:00:00.000Z"],
    ["+4h", "2026-11-23T16:00:00.000Z"],
    ["+30min", "2026-11-23T12:30:00.000Z"],
    ["+0d", "2026-11-23"],
    ["+3d", "2026-11-26"],
    ["+2w", "2026-12-07"],
    ["+1mo", "2026-12-23"],
    ["+14mo", "2028-01-23"],
    ["sun", "2026-11-29"],
    ["mon", "2026-11-30"],
    ["monday", "2026-11-30"],
    ["tue", "2026-11-24"],
    ["Fri", "2026-11-27"],
    ["saturday", "2026-11-28"],
  ])("%j typed on a Monday means %s", (text, date) => {
    expect(said(text, NOON)).toBe(date);
  });

  test.each([
    ["mon", "2026-11-16"],
    ["tue", "2026-11-17"],
    ["sat", "2026-11-21"],
    ["sun", "2026-11-22"],
    ["yesterday", "2026-11-22"],
  ])("%j looking back from a Monday means %s", (text, date) => {
    expect(said(text, NOON, "UTC", "back")).toBe(date);
  });

  test.each([
    ["2026-01-31", "+1mo", "2026-02-28"],
    ["2028-01-31", "+1mo", "2028-02-29"],
    ["2026-01-28", "+1mo", "2026-02-28"],
    ["2026-12-31", "+2mo", "2027-02-28"],
    ["2026-12-31", "next month", "2027-01-01"],
    ["2026-12-31", "tomorrow", "2027-01-01"],
    ["2028-02-28", "tomorrow", "2028-02-29"],
    ["2026-11-29", "next week", "2026-11-30"],
    ["2026-11-30", "next week", "2026-12-07"],
    ["2026-11-29", "sun", "2026-12-06"],
    ["2026-11-28", "sun", "2026-11-29"],
  ])("on %s %j means %s", (day, text, date) => {
    expect(said(text, `${day}T12:00:00.000Z`)).toBe(date);
  });

  test.each([
    "",
    "soon",
    "3d",
    "-3d",
    "+3",
    "+d",
    "+3m",
    "+99999d",
    "+1.5d",
    "next fri",
    "frid",
    "2026-11-23",
    "next year",
  ])("cannot be %j", (text) => {
    expect(said(text, NOON)).toBeUndefined();
  });

  // Before and after midnight, and before and after the clock changes: forward at 02:00, back at 03:00.
  test.each([
    ["Europe/Berlin", "2026-03-28T22:59:59.999Z", "2026-03-28", "2026-03-29"],
    ["Europe/Berlin", "2026-03-28T23:00:00.000Z", "2026-03-29", "2026-03-30"],
    ["Europe/Berlin", "2026-03-29T21:59:59.999Z", "2026-03-29", "2026-03-30"],
    ["Europe/Berlin", "2026-03-29T22:00:00.000Z", "2026-03-30", "2026-03-31"],
    ["Europe/Berlin", "2026-10-24T22:00:00.000Z", "2026-10-25", "2026-10-26"],
    ["Europe/Berlin", "2026-10-25T22:59:59.999Z", "2026-10-25", "2026-10-26"],
    ["Europe/Berlin", "2026-10-25T23:00:00.000Z", "2026-10-26", "2026-10-27"],
    ["America/New_York", "2026-11-01T03:59:59.999Z", "2026-10-31", "2026-11-01"],
    ["America/New_York", "2026-11-01T04:00:00.000Z", "2026-11-01", "2026-11-02"],
    ["America/New_York", "2026-11-02T04:59:59.999Z", "2026-11-01", "2026-11-02"],
    ["America/New_York", "2026-11-02T05:00:00.000Z", "2026-11-02", "2026-11-03"],
    // Apia had no 2011-12-30.
    ["Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29", "2011-12-30"],
    ["Pacific/Apia", "2011-12-30T10:00:00.000Z", "2011-12-31", "2012-01-01"],
  ])("in %s at %s today is %s and tomorrow %s", (zone, at, today, tomorrow) => {
    expect(said("today", at, zone)).toBe(today);
    expect(said("tomorrow", at, zone)).toBe(tomorrow);
  });

  test("counts days on the calendar, even across a clock change", () => {
    // One day later at 00:00 is 23 hours later in spring and 25 hours later in autumn.
    const begin = (text: string, at: string) =>
      resolvePlanningDate(said(text, at, "Europe/Berlin") ?? "", "Europe/Berlin");
    expect(begin("today", "2026-03-29T10:00:00.000Z")).toBe("2026-03-28T23:00:00.000Z");
    expect(begin("+1d", "2026-03-29T10:00:00.000Z")).toBe("2026-03-29T22:00:00.000Z");
    expect(begin("today", "2026-10-25T10:00:00.000Z")).toBe("2026-10-24T22:00:00.000Z");
    expect(begin("+1d", "2026-10-25T10:00:00.000Z")).toBe("2026-10-25T23:00:00.000Z");
    expect(begin("eod", "2026-10-25T10:00:00.000Z")).toBe("2026-10-25T22:59:59.000Z");
    expect(said("+4h", "2026-10-24T23:00:00.000Z", "Europe/Berlin")).toBe(
      "2026-10-25T03:00:00.000Z",
    );
  });

  test("gives the same days for today and weekdays as date-fns-tz, at any instant of any zone", () => {
    const from = instantToMs("2000-01-01T00:00:00.000Z");
    const to = instantToMs("2037-12-31T00:00:00.000Z");
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), fc.constantFrom(...ZONES), (ms, zone) => {
        const at = msToInstant(ms);
        const today = formatInTimeZone(at, zone, "yyyy-MM-dd");
        expect(said("today", at, zone)).toBe(today);
        const weekday = formatInTimeZone(at, zone, "EEEE");
        const ahead = said(weekday, at, zone, "ahead") ?? "";
        const back = said(weekday, at, zone, "back") ?? "";
        const days = (date: string) => instantToMs(`${date}T00:00:00.000Z`) / 86_400_000;
        expect([days(ahead) - days(today), days(today) - days(back)]).toEqual([7, 7]);
      }),
    );
  });
});
