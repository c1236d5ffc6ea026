import { expect, test } from "vitest";
import { readSeriesDays } from "../../src/screen/effects/series.ts";
import type { Transport } from "../../src/shared/transport.ts";

const nobody: Transport = {
  call: async () => await Promise.reject(new Error("no daemon is asked")),
  text: async () => await Promise.reject(new Error("no daemon is asked")),
};

async function daysOf(rrule: string, more: { dtstart?: string; zone?: string; after?: string }) {
  const { dtstart = "2026-11-24", zone: timezone = "Europe/Berlin", after } = more;
  const asked = { rrule, dtstart, timezone, after };
  return await readSeriesDays(nobody, { effect: "series-days", wait: 0, ...asked });
}

test.each([
  ["FREQ=DAILY;COUNT=1", {}, ["Tue 2026-11-24"], false],
  ["FREQ=DAILY;COUNT=5", {}, [24, 25, 26, 27, 28], false],
  ["FREQ=DAILY;COUNT=6", {}, [24, 25, 26, 27, 28], true],
  ["FREQ=WEEKLY;BYDAY=MO;COUNT=2", {}, ["Mon 2026-11-30", "Mon 2026-12-07"], false],
  ["FREQ=WEEKLY;BYDAY=MO;COUNT=2", { after: "2026-11-30" }, ["Mon 2026-12-07"], false],
  ["FREQ=WEEKLY;BYDAY=MO;COUNT=2", { after: "2026-12-07" }, [], false],
] as const)("the rule %s with %j gives the days %j", async (rrule, more, days, goesOn) => {
  const found = await daysOf(rrule, more);
  expect(found.days?.map((day) => day.slice(4))).toEqual(
    days.map((day) => (typeof day === "number" ? `2026-11-${day}` : day.slice(4))),
  );
  const named = days.filter((day) => typeof day === "string");
  expect(found.days).toEqual(expect.arrayContaining(named));
  expect(found).toMatchObject({ goesOn, error: undefined });
});

test.each([
  ["FREQ=NEVER", {}, /^Rule: FREQ must be one of/],
  ["FREQ=DAILY", { dtstart: "soon" }, /^First day: /],
  ["FREQ=DAILY", { zone: "Nowhere" }, /^Time zone: /],
])("the rule %s with %j is refused in the words of the form", async (rrule, more, error) => {
  expect(await daysOf(rrule, more)).toMatchObject({
    days: undefined,
    error: expect.stringMatching(error),
  });
});
