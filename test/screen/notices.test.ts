import { describe, expect, test } from "vitest";
import type { Target } from "../../src/screen/message.ts";
import type { Notice } from "../../src/screen/messages/state.ts";
import { screen } from "../tui/support.ts";

const [NOW, SOON, LATER] = [
  "2026-11-21T10:00:00.000Z",
  "2026-11-21T10:00:09.000Z",
  "2026-11-21T10:00:11.000Z",
] as const;
const OFFER = { text: "closed product#k001   u undo", offers: "undo", seenMs: 10_000 } as const;

/** A board on which this is said; `act` is a click on the place, or a key. */
function said(notice: Partial<Notice>, { calm = false } = {}) {
  const session = screen(80, 24);
  const { preferences, messages } = session.state;
  const full: Notice = { tone: "info", text: "copied", at: NOW, ...notice };
  session.state = {
    ...session.state,
    preferences: { ...preferences, calm },
    messages: { ...messages, notice: full },
  };
  const after = (act: Target | string, at: string = NOW): string | undefined => {
    session.state = { ...session.state, now: at };
    if (typeof act === "string") session.keys(act);
    else session.tell({ type: "chosen", place: act, spot: "" });
    return session.state.messages.notice?.text;
  };
  return { session, after };
}

const ROW: Target = { is: "row", at: 1 };

describe("a screen with reduced motion", () => {
  test.each([
    ["a key", "j"],
    ["a click", ROW],
  ] as const)("%s dismisses a message", (_, act) => {
    expect(said({}, { calm: true }).after(act)).toBeUndefined();
  });

  test.each([
    ["a key", "j"],
    ["a click", ROW],
  ] as const)("%s dismisses an offer of undo once its ten seconds are over", (_, act) => {
    expect(said(OFFER, { calm: true }).after(act, SOON)).toBe(OFFER.text);
    expect(said(OFFER, { calm: true }).after(act, LATER)).toBeUndefined();
  });

  test.each([
    ["its key", "u"],
    ["a button", { is: "command", command: "undo" }],
  ] as const)("%s can still use an older offer of undo", (_, act) => {
    // Nothing can be undone here, and the answer to the offer says so.
    expect(said(OFFER, { calm: true }).after(act, LATER)).toBe("nothing to undo");
  });

  test("a change of focus does not remove a notice", () => {
    expect(said({}, { calm: true }).after({ is: "list" })).toBe("copied");
    expect(said({}, { calm: true }).after({ is: "detail" })).toBe("copied");
  });
});

test("a hint about a key disappears with the next click, and a message stays for its time", () => {
  expect(said({ isHint: true }).after(ROW)).toBeUndefined();
  expect(said({}).after(ROW)).toBe("copied");
});

describe.each(["info", "error"] as const)("a click on a message (%s)", (tone) => {
  test("dismisses the message, and changes nothing else", () => {
    const { session, after } = said({ ...OFFER, tone });
    const { board, detail, window } = session.state;
    expect(after({ is: "notice" })).toBeUndefined();
    expect(session.state.board).toBe(board);
    expect(session.state.detail).toBe(detail);
    expect(session.state.window.focus).toBe(window.focus);
  });
});
