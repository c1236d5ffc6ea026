import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { dayOf, instantOf, momentOf, plannedOf } from "../../src/shared/moment.ts";

const NOW = { ms: instantToMs("2026-11-23T12:00:00.000Z"), zone: "America/New_York" };

test.each([
  ["90m", "2026-11-23T10:30:00.000Z", false],
  ["7d", "2026-11-16T12:00:00.000Z", false],
  ["2026-01-31T09:00:00+01:00", "2026-01-31T08:00:00.000Z", false],
  ["yesterday", "2026-11-22T05:00:00.000Z", true],
  ["mon", "2026-11-16T05:00:00.000Z", true],
  ["2026-07-01", "2026-07-01T04:00:00.000Z", true],
  ["2026-11-01T01:30", "2026-11-01T05:30:00.000Z", true],
  ["now", "2026-11-23T12:00:00.000Z", true],
])("%s means %s for a flag about the past", (text, instant, isSaid) => {
  expect(instantOf("--since", text, NOW)).toEqual({ instant, isSaid });
});

test.each([
  ["mon", "2026-11-30T05:00:00.000Z", true],
  ["tomorrow", "2026-11-24T05:00:00.000Z", true],
  ["2027-03-28", "2027-03-28T04:00:00.000Z", true],
  ["2027-03-28T01:00:00Z", "2027-03-28T01:00:00.000Z", false],
])("%s means %s for a flag about the future", (text, instant, isSaid) => {
  expect(instantOf("--from", text, NOW, "ahead")).toEqual({ instant, isSaid });
});

test("a duration in the past is refused for a flag about the future, since 3d would be read as +3d", () => {
  expect(() => instantOf("--from", "3d", NOW, "ahead")).toThrow('--from: "3d" is no date');
});

test.each([
  ["soon", "say 90m, 12h or 7d ago"],
  ["+3m", "say +3min for minutes or +3mo for months"],
  ["2026-02-30", "say 90m"],
  ["", "say 90m"],
])("%j is refused with advice", (text, hint) => {
  try {
    instantOf("--since", text, NOW);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: "validation", hint: expect.stringContaining(hint) });
  }
});

test("an event id is not read as a day", () => {
  expect(momentOf("--at", "4200", NOW)).toBe("4200");
  expect(momentOf("--at", "yesterday", NOW)).toBe("2026-11-22T05:00:00.000Z");
});

test("words in planning dates mean future days, and full dates stay unchanged", () => {
  expect(plannedOf("deadline_on", "mon", NOW)).toBe("2026-11-30");
  for (const date of ["2026-09-01", "2026-09-01T14:30", "2026-09-01T12:30:00Z"])
    expect(plannedOf("deadline_on", date, NOW)).toBe(date);
  expect(() => plannedOf("deadline_on", "3d", NOW)).toThrow('deadline_on: "3d" is no date');
  expect(dayOf("--dtstart", "tomorrow", NOW, "ahead")).toBe("2026-11-24");
  expect(() => dayOf("--dtstart", "eod", NOW, "ahead")).toThrow('"eod" is no date');
});

test("a hint names only accepted forms", () => {
  const day = (looking: "ahead" | "back") => () => dayOf("--since", "soon", NOW, looking);
  const date = () => plannedOf("deadline_on", "soon", NOW);
  for (const [refuse, take] of [
    [day("ahead"), (text: string) => dayOf("--since", text, NOW, "ahead")],
    [day("back"), (text: string) => dayOf("--since", text, NOW, "back")],
    [date, (text: string) => plannedOf("deadline_on", text, NOW)],
    [
      () => instantOf("--since", "soon", NOW),
      (text: string) => instantOf("--since", text.replace(/ ago$/, ""), NOW),
    ],
  ] as const) {
    const { hint } = caught(refuse);
    const forms = hint.replace(/^say /, "").split(/, | or /);
    expect(forms.length).toBeGreaterThan(2);
    for (const form of forms) expect(() => take(form), form).not.toThrow();
  }
});

function caught(refuse: () => unknown): { readonly hint: string } {
  try {
    refuse();
  } catch (error) {
    if (error instanceof SvcError && error.hint !== undefined) return { hint: error.hint };
  }
  throw new Error("it was not refused with a hint");
}
