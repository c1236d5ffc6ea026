import { describe, expect, test, vi } from "vitest";
import { type Times, timePhrase, timeText } from "../../src/screen/times.ts";
import { cells } from "../../tui/text.ts";
import { timeCells } from "../../tui/times.ts";
import { picture, text } from "./picture.ts";
import { issue, NOW, type Session, screen } from "./support.ts";

// Node reads the variable once, before any other code here does.
vi.stubEnv("TZ", "America/New_York");

const { preferences } = screen(80, 24).state;
const CLOCK: Times = { now: NOW, preferences: { ...preferences, times: "clock" } };
const AGO: Times = { now: NOW, preferences: { ...preferences, times: "ago" } };

describe("a time of day", () => {
  test.each([
    ["2026-11-21T09:59:00.000Z", "11-21 04:59"],
    ["2026-11-21T03:59:59.000Z", "11-20 22:59"],
    // Daylight saving ended on 1 November, at 06:00 UTC.
    ["2026-11-01T05:59:00.000Z", "11-01 01:59"],
    ["2026-11-01T06:59:00.000Z", "11-01 01:59"],
    ["2026-01-01T05:00:00.000Z", "01-01 00:00"],
    ["2026-01-01T04:59:59.000Z", "2025-12-31"],
    ["2027-01-01T04:59:59.000Z", "12-31 23:59"],
    ["2027-01-01T05:00:00.000Z", "2027-01-01"],
  ])("the instant %s is shown in New York as %s", (instant, said) => {
    expect([timeText(CLOCK, instant), timePhrase(CLOCK, instant)]).toEqual([said, said]);
    expect(cells(said)).toBeLessThanOrEqual(timeCells(CLOCK));
  });

  test("is shown as an age, unless the clock is requested", () => {
    const instant = "2026-11-21T09:00:00.000Z";
    expect([timeText(AGO, instant), timePhrase(AGO, instant)]).toEqual(["1h", "1h ago"]);
  });
});

/** Types the palette's command. */
function turned(session: Session): Session {
  return session.keys(":").type("times").keys("enter");
}

describe("the command :times", () => {
  test("shows times of day in lists, in a column that names the city of its zone, and back", () => {
    const session = turned(screen(100, 24));
    expect(session.state.messages.notice?.text).toContain("by this machine's clock");
    expect(text(session)).toMatch(/TITLE .* New_York/);
    expect(text(session)).toMatch(/k004 .* 11-20 05:04/);
    // A card has no room for it.
    expect(text(session.keys("v", "v"))).toMatch(/k004 P0 +23h/);
    expect(text(session.keys("v", "v", "5"))).toMatch(/product .* 11-21 05:00/);
    const board = turned(session.keys("1"));
    expect(board.state.messages.notice?.text).toContain("how long ago");
    expect(text(board)).toMatch(/k004 .* 23h/);
    expect(text(board)).toContain("AGE");
  });

  test("shows times of day in an open issue, even if the issue was drawn before", () => {
    const session = screen(80, 24).keys("enter");
    expect(text(session)).toContain("updated 23h");
    expect(text(turned(session))).toContain("updated 11-20 05:0");
  });

  test.each([40, 60, 80, 100, 160, 250])("makes no line wider than %i cells", (columns) => {
    const session = turned(screen(columns, 24, [issue(1, { owner: "ana" }), issue(2)]));
    for (const keys of [["1"], ["v", "v"], ["v"], ["2"], ["4"], ["5"], ["6"]]) {
      session.keys(...keys);
      for (const line of picture(session)) expect(cells(line)).toBeLessThanOrEqual(columns);
    }
  });
});
