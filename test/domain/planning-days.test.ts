import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import {
  DATED_VIEWS,
  isDay,
  isInView,
  planningDay,
  writtenBounds,
} from "../../src/domain/planning-days.ts";

const BERLIN = { local_date: "2026-03-10", time_zone: "Europe/Berlin" };

describe("the day of a planning date for a reader in Berlin", () => {
  test.each([
    // A date without a zone of its own keeps its day, at any time of the day.
    ["2026-03-10", undefined, "2026-03-10"],
    ["2026-03-10T23:59:59", undefined, "2026-03-10"],
    ["2026-03-10", "Europe/Berlin", "2026-03-10"],
    // Midnight of Tokyo is 16:00 of the day before in Berlin, and 08:00 of Tokyo is the last midnight of Berlin.
    ["2026-03-10", "Asia/Tokyo", "2026-03-09"],
    ["2026-03-10T07:59", "Asia/Tokyo", "2026-03-09"],
    ["2026-03-10T08:00", "Asia/Tokyo", "2026-03-10"],
    // 23:00Z is midnight in Berlin in winter.
    ["2026-03-10T22:59:59Z", undefined, "2026-03-10"],
    ["2026-03-10T23:00:00Z", undefined, "2026-03-11"],
    ["2026-03-10T23:00:00Z", "Asia/Tokyo", "2026-03-11"],
    // A zone that is none counts as no zone.
    ["2026-03-10", "Moon/Base", "2026-03-10"],
    ["2026-03-10", 5, "2026-03-10"],
    ["soon", undefined, undefined],
    ["2026-02-30", undefined, undefined],
    [20260310, undefined, undefined],
    [undefined, undefined, undefined],
  ])("the day of %j in the zone %j is %j for a reader in Berlin", (value, zone, day) => {
    expect(planningDay(value, zone, "Europe/Berlin")).toBe(day);
  });
});

describe("the views of planning dates on 10 March in Berlin", () => {
  test.each([
    ["today", { scheduled_on: "2026-03-10" }, true],
    ["today", { scheduled_on: "2026-03-11" }, false],
    ["today", { deadline_on: "2026-03-10" }, true],
    ["today", { deadline_on: "2026-03-11" }, false],
    ["today", { scheduled_on: "2026-03-11", deadline_on: "2026-03-09" }, true],
    ["today", { scheduled_on: "2026-03-10T23:00:00Z" }, false],
    ["today", {}, false],
    ["upcoming", { scheduled_on: "2026-03-10" }, false],
    ["upcoming", { scheduled_on: "2026-03-11" }, true],
    ["upcoming", { deadline_on: "2026-03-11" }, false],
    ["upcoming", { scheduled_on: "2026-03-10T23:00:00Z" }, true],
    ["upcoming", { scheduled_on: "2026-03-11", timezone: "Asia/Tokyo" }, false],
    ["deadlines", { deadline_on: "2026-03-09" }, true],
    ["deadlines", { deadline_on: "2026-03-11" }, true],
    ["deadlines", { deadline_on: "one day" }, false],
    ["deadlines", { scheduled_on: "2026-03-10" }, false],
  ] as const)("the view %s includes an issue with %j: %s", (view, metadata, isIn) => {
    expect(isInView(view, metadata, BERLIN)).toBe(isIn);
  });
});

test("the bounds within which a view searches for stored dates exclude no issue of the view", () => {
  const minute = fc
    .integer({ min: 0, max: 7 * 24 * 60 })
    .map((minutes) => msToInstant(instantToMs("2026-01-01T00:00:00.000Z") + minutes * 60_000));
  const zone = fc.constantFrom(
    ...["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Tokyo", "UTC", "America/New_York"],
  );
  const written = minute.chain((at) => fc.constantFrom(at.slice(0, 10), at.slice(0, 16), at));
  fc.assert(
    fc.property(
      ...[fc.constantFrom(...DATED_VIEWS), written, zone, minute, zone],
      (view, value, timezone, today, time_zone) => {
        const local_date = today.slice(0, 10);
        for (const key of ["scheduled_on", "deadline_on"]) {
          const asked = { local_date, time_zone };
          if (!isInView(view, { [key]: value, timezone }, asked)) continue;
          const { keys, from = "", before = "~" } = writtenBounds(view, asked);
          expect(keys).toContain(key);
          expect(value >= from && value < before).toBe(true);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ["0000-01-01", ["", "0000-01-04"]],
  ["9999-12-31", ["9999-12-29", "~"]],
])(
  "the bounds of a search for dates stay in order at the ends of the calendar: %s",
  (local_date, bounds) => {
    const today = { local_date, time_zone: "UTC" };
    const { from } = writtenBounds("upcoming", today);
    const { before } = writtenBounds("today", today);
    expect([from, before]).toEqual(bounds);
  },
);

test.each([
  ["2026-02-28", true],
  ["2026-02-29", false],
  ["2028-02-29", true],
  ["2026-2-28", false],
  ["2026-02-28T00:00", false],
  ["", false],
])("%j is accepted as a day: %s", (text, is) => {
  expect(isDay(text)).toBe(is);
});
