import { fromZonedTime } from "date-fns-tz/fromZonedTime";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import {
  isIanaZone,
  parsePlanningDate,
  resolvePlanningDate,
  zoneOf,
} from "../../src/domain/dates.ts";
import { ZONE_ALIASES } from "../../src/domain/zone-aliases.ts";

describe("a planning date", () => {
  test.each([
    "2026-09-01",
    "2024-02-29",
    "2026-09-01T00:00",
    "2026-09-01T23:59",
    "2026-09-01T23:59:59",
    "2026-09-01T09:00:00Z",
    "2026-09-01T09:00:00.250Z",
  ])("may be %s", (value) => {
    expect(parsePlanningDate(value)).toBeDefined();
  });

  test.each([
    "",
    "2026-9-1",
    "2026-02-29",
    "2026-02-30",
    "2026-13-01",
    "2026-00-01",
    "2026-09-00",
    "2026-09-01T24:00",
    "2026-09-01T23:60",
    "2026-09-01T23:59:60",
    "2026-09-01T24:00:00Z",
    "2026-02-30T09:00:00Z",
    "2026-09-01T14:30:00+14:00",
    "2026-09-01T14:30:00+00:00",
    "2026-09-01T09:00Z",
    "2026-09-01t09:00:00Z",
    "2026-09-01 09:00",
    "2026-09-01T09",
    " 2026-09-01",
  ])("may not be %j", (value) => {
    expect(parsePlanningDate(value)).toBeUndefined();
  });

  test.each([
    ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:00:00.000Z"],
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["2011-12-30T12:00", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["2026-09-01", "America/Los_Angeles", "2026-09-01T07:00:00.000Z"],
    // Years with four digits and no sign, so that instants sort as text.
    ["0050-06-01", "America/New_York", "0050-06-01T04:56:02.000Z"],
    ["0000-01-01", "Asia/Tokyo", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T18:59:59", "America/New_York", "9999-12-31T23:59:59.000Z"],
    ["9999-12-31T23:59:59", "America/New_York", "9999-12-31T23:59:59.999Z"],
    ["2026-09-01", "Asia/Tokyo", "2026-08-31T15:00:00.000Z"],
    ["2026-09-01T09:00:00Z", "Asia/Tokyo", "2026-09-01T09:00:00.000Z"],
    ["2026-09-01T09:00:00.250Z", "Asia/Tokyo", "2026-09-01T09:00:00.250Z"],
    // Before and after a gap, in a zone whose clocks go forward at midnight: the day starts at one.
    ["2026-09-05T23:59", "America/Santiago", "2026-09-06T03:59:00.000Z"],
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
    ["2026-09-06T01:00", "America/Santiago", "2026-09-06T04:00:00.000Z"],
    // Before and after an overlap.
    ["2026-10-25T01:59", "Europe/Berlin", "2026-10-24T23:59:00.000Z"],
    ["2026-10-25T02:00", "Europe/Berlin", "2026-10-25T00:00:00.000Z"],
    ["2026-10-25T02:59", "Europe/Berlin", "2026-10-25T00:59:00.000Z"],
    ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
    // A change of half an hour.
    ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:30:00.000Z"],
    ["2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    ["2026-07-01T12:00", "Asia/Kathmandu", "2026-07-01T06:15:00.000Z"],
    ["0099-01-01", "UTC", "0099-01-01T00:00:00.000Z"],
  ])("%s in the zone %s means the instant %s", (value, zone, instant) => {
    expect(resolvePlanningDate(value, zone)).toBe(instant);
  });

  test("agrees with another implementation wherever a wall time occurs once", () => {
    const zones = fc.constantFrom(
      "America/New_York",
      "America/Santiago",
      "Europe/Berlin",
      "Africa/Casablanca",
      "Asia/Tehran",
      "Australia/Lord_Howe",
      "Pacific/Chatham",
    );
    const minutes = fc.integer({ min: 0, max: 12 * 366 * 24 * 60 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const start = instantToMs("2019-01-01T00:00:00.000Z");
        const wall = msToInstant(start + minute * 60_000).slice(0, 16);
        const ours = instantToMs(resolvePlanningDate(wall, zone) ?? "");
        fc.pre(comesOnce(zone, ours));
        expect(ours).toBe(fromZonedTime(wall, zone).getTime());
      }),
      { numRuns: 300 },
    );
  });
});

/** Whether the clocks of the zone do not change within a day and a half of the time. */
function comesOnce(zone: string, ms: number): boolean {
  const name = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const offset = (at: number): string =>
    name.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return [-36, -12, 12, 36].every((hours) => offset(ms + hours * 3_600_000) === offset(ms));
}

describe("the zone of a planning date", () => {
  test.each([
    ["2026-09-01T09:00:00Z", "Asia/Tokyo", "UTC"],
    ["2026-09-01", "Asia/Tokyo", "Asia/Tokyo"],
    ["2026-09-01", undefined, "Europe/Berlin"],
    ["2026-09-01", "Nowhere/At_All", "Europe/Berlin"],
    ["2026-09-01", 5, "Europe/Berlin"],
  ])(
    "the date %s of an issue with the zone %s is read in the zone %s",
    (value, issueZone, expected) => {
      expect(zoneOf(value, issueZone, "Europe/Berlin")).toBe(expected);
    },
  );

  test.each([
    "UTC",
    "Etc/GMT+5",
    "GMT0",
    "EST5EDT",
    "America/New_York",
    "Asia/Calcutta",
    "Asia/Kolkata",
    "US/Pacific",
    "America/Argentina/Buenos_Aires",
    "America/Port-au-Prince",
  ])("%s is an IANA zone", (name) => {
    expect(isIanaZone(name)).toBe(true);
  });

  test("every old zone name in svc's table is known to the runtime", () => {
    for (const name of ZONE_ALIASES) {
      expect(() => new Intl.DateTimeFormat("en", { timeZone: name })).not.toThrow();
    }
    expect(isIanaZone("US/East-Indiana")).toBe(true);
  });

  test.each([
    "",
    "Local",
    "local",
    "+05:00",
    "-03",
    "UTC+2",
    "utc",
    "america/new_york",
    "America/New_york",
    "EUROPE/PARIS",
    "us/pacific",
    "Mars/Olympus",
  ])("%j is not an IANA zone", (name) => {
    expect(isIanaZone(name)).toBe(false);
  });
});
