import { describe, expect, test } from "vitest";
import { layoutOf } from "../../tui/layout.ts";
import { liveEvent, type Session, screen } from "./support.ts";

function calm(): Session {
  const session = screen(80, 24);
  session.state = { ...session.state, preferences: { ...session.state.preferences, calm: true } };
  return session;
}

const LATER = "2026-11-21T10:01:00.000Z";

describe("calm mode, where nothing changes by time alone", () => {
  test("keeps a hint about a key until the next key", () => {
    const session = calm().keys("Z");
    expect(session.effects).toEqual([]);
    session.state = { ...session.state, now: LATER };
    session.tell({ type: "tick" });
    expect(session.state.messages.notice?.text).toBe("no action on Z here");
    session.keys("j");
    expect(session.state.messages.notice).toBeUndefined();
  });

  test("keeps an error until esc, as in other modes", () => {
    const session = calm();
    session.tell({ type: "failed", text: "no" });
    session.keys("j");
    expect(session.state.messages.notice?.text).toBe("no");
    session.keys("esc");
    expect(session.state.messages.notice).toBeUndefined();
  });

  test("does not mark a row that somebody else changed, and wakes no timer", () => {
    const [session, lively] = [calm(), screen(80, 24)];
    const uids = [...session.state.issues.keys()].slice(0, 1);
    const effects = session.tell({ type: "events", events: [liveEvent({ uids })] });
    expect(session.state.board.changed.size).toBe(0);
    expect(effects.filter(({ effect }) => effect === "wake")).toEqual([]);
    lively.tell({ type: "events", events: [liveEvent({ uids })] });
    expect(lively.state.board.changed.size).toBe(1);
  });
});

test.each([
  ["auto", 99, 30, false],
  ["auto", 120, 30, true],
  ["auto", 120, 15, false],
  ["auto", 120, 16, true],
  ["split", 79, 30, false],
  ["split", 80, 30, true],
  ["split", 80, 11, false],
  ["split", 80, 12, true],
  ["stacked", 250, 70, false],
] as const)("the layout %s at %ix%i has two panes: %s", (choice, columns, rows, expected) => {
  expect(layoutOf(columns, rows, choice, 1).detail !== undefined).toBe(expected);
});

test("L switches between the visible layout and the other, and back", () => {
  const session = screen(160, 50).keys("L");
  expect(session.state.preferences.layout).toBe("stacked");
  session.keys("L");
  expect(session.state.preferences.layout).toBe("split");
  expect(screen(80, 24).keys("L").state.preferences.layout).toBe("split");
});
