import { describe, expect, test } from "vitest";
import { skipsOf } from "../../../src/domain/recurrences/skips.ts";

/** The months that do not have the day of the rule. */
function months(names: string): string {
  return `months without that day (${names}); BYMONTHDAY=-1 is the last day of every month`;
}

describe("a rule reports the days it skips", () => {
  test.each<[rrule: string, dtstart: string, skips: string | undefined]>([
    ["FREQ=MONTHLY", "2026-01-28", undefined],
    ["FREQ=MONTHLY", "2026-01-29", months("February but in leap years")],
    ["FREQ=MONTHLY", "2026-01-30", months("February")],
    ["FREQ=MONTHLY", "2026-01-31", months("February, April, June, September, November")],
    ["FREQ=MONTHLY;INTERVAL=2", "2026-01-31", months("September, November")],
    ["FREQ=MONTHLY;INTERVAL=2", "2026-08-31", months("February, April, June")],
    ["FREQ=MONTHLY;INTERVAL=12", "2026-01-31", undefined],
    ["FREQ=MONTHLY;BYMONTH=1,3", "2026-01-31", undefined],
    ["FREQ=MONTHLY;BYMONTH=1,4", "2026-01-31", months("April")],
    [
      "FREQ=MONTHLY;BYMONTHDAY=31",
      "2026-01-01",
      months("February, April, June, September, November"),
    ],
    [
      "FREQ=MONTHLY;BYMONTHDAY=-31",
      "2026-01-01",
      months("February, April, June, September, November"),
    ],
    ["FREQ=MONTHLY;BYMONTHDAY=30,31", "2026-01-01", months("February")],
    ["FREQ=MONTHLY;BYMONTHDAY=15,31", "2026-01-01", undefined],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31", undefined],
    ["FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "2026-01-31", undefined],
    ["FREQ=MONTHLY;BYDAY=4MO", "2026-01-31", undefined],
    ["FREQ=MONTHLY;BYDAY=5MO", "2026-01-31", "months without a fifth Monday"],
    ["FREQ=MONTHLY;BYDAY=5MO,-5SU", "2026-01-31", "months without a fifth Monday or fifth Sunday"],
    ["FREQ=MONTHLY;BYDAY=MO", "2026-01-31", undefined],
    ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-01-31", undefined],
    ["FREQ=YEARLY", "2028-02-29", "years that are no leap years"],
    ["FREQ=YEARLY", "2028-02-28", undefined],
    ["FREQ=YEARLY", "2026-01-31", undefined],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2026-01-01", "years that are no leap years"],
    ["FREQ=WEEKLY", "2026-01-31", undefined],
    ["FREQ=DAILY", "2026-01-31", undefined],
  ])("the rule %s from %s reports that it skips: %s", (rrule, dtstart, skips) => {
    expect(skipsOf({ rrule, dtstart })).toBe(skips);
  });
});
