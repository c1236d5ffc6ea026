import { describe, expect, test } from "vitest";
import { initialState } from "../../src/screen/initial-state.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { PAGE_KEYS } from "../../web/own-keys.ts";
import { pageFit } from "../../web/room.ts";
import { issue, Session, START, screen } from "../tui/support.ts";

const ISSUES = [issue(1, { updated_at: "2026-11-20T11:00:00.000Z" }), issue(2)];
const WAITS = "closed product#k001: u takes it back once the daemon has answered";

function page(): Session {
  const session = new Session(
    initialState({
      ...START,
      fit: pageFit(() => undefined),
      screens: SCREENS,
      columns: 1,
      rows: 1,
      keys: PAGE_KEYS,
      page: "http://127.0.0.1:7780/svc",
    }),
  );
  const read = { part: "all", serial: 0, gone: [], truncated: false } as const;
  session.tell({ type: "live", live: "live" });
  session.tell({ type: "issues", issues: ISSUES, ...read });
  return session;
}

const said = ({ state }: Session): string | undefined => state.messages.notice?.text;
/** The id of the latest write. */
const latest = ({ state }: Session): number => state.writes.sent[0]?.id ?? 0;
const statuses = ({ state }: Session): readonly (string | undefined)[] =>
  ISSUES.map(({ uid }) => state.issues.get(uid)?.status);

/** The daemon's answer to the write that closed or opened the issue of this number. */
function answer(session: Session, id: number, status: "open" | "closed", number = 1): Session {
  const updated_at = `2026-11-20T12:00:${String(id).padStart(2, "0")}.000Z`;
  session.tell({ type: "written", id, issue: issue(number, { status, updated_at }) });
  return session;
}

function refuse(session: Session, id: number): Session {
  session.tell({ type: "refused", id, code: "revision_conflict", text: "no" });
  return session;
}

describe.each([
  ["in the terminal", () => screen(80, 24, ISSUES)],
  ["in the page", page],
] as const)("undo %s", (_where, opened) => {
  test("u after the answer undoes a change at once", () => {
    const session = opened().keys("x");
    expect(said(answer(session, latest(session), "closed"))).toBe("closed product#k001   u undo");
    expect(session.keys("u").writes).toMatchObject([{ act: "reopen" }]);
    expect(said(answer(session, latest(session), "open"))).toBe(
      "undone: closed product#k001   U redo",
    );
  });

  test("u before the answer waits for it, says so, and then undoes the change", () => {
    const session = opened().keys("x", "u");
    expect(session.writes).toEqual([]);
    expect(said(session)).toBe(WAITS);
    answer(session, latest(session), "closed");
    expect(session.writes).toMatchObject([{ act: "reopen", at: { name: "product#k001" } }]);
    expect(statuses(session)).toEqual(["open", "open"]);
    expect(said(answer(session, latest(session), "open"))).toBe(
      "undone: closed product#k001   U redo",
    );
    expect(session.keys("U").writes).toMatchObject([{ act: "close" }]);
  });

  test("a second u before the answer undoes nothing else", () => {
    const session = opened().keys("x");
    answer(session, latest(session), "closed").keys("x", "u", "u");
    const id = latest(session);
    expect(answer(session, id, "closed", 2).writes).toMatchObject([
      { act: "reopen", at: { name: "product#k002" } },
    ]);
    expect(statuses(session)).toEqual(["closed", "open"]);
  });

  test("u after an unanswered change never undoes an earlier one", () => {
    const session = opened().keys("x");
    answer(session, latest(session), "closed").keys("x");
    expect(said(session)).toBeUndefined();
    session.keys("u");
    expect(session.writes).toEqual([]);
    expect(statuses(session)).toEqual(["closed", "closed"]);
    refuse(session, latest(session));
    expect(session.writes).toEqual([]);
    expect(said(session)).toContain("no");
    session.keys("esc", "u");
    expect(said(session)).toBe("u again reopens product#k001");
  });

  test("u waits for all answers to a batch", () => {
    const session = opened().keys("space", "space", "x", "u");
    const ids = session.state.writes.sent.map(({ id }) => id).toSorted();
    const [first = 0, second = 0] = ids;
    expect(answer(session, first, "closed", 1).writes).toEqual([]);
    expect(answer(session, second, "closed", 2).writes).toMatchObject([
      { act: "reopen" },
      { act: "reopen" },
    ]);
  });

  test("each of two changes in flight is undone, in the order of the answers", () => {
    const session = opened().keys("x", "u");
    const first = latest(session);
    session.keys("j", "x", "u");
    const second = latest(session);
    expect(second).not.toBe(first);
    const back = (name: string) => [{ act: "reopen", at: { name } }];
    expect(answer(session, second, "closed", 2).writes).toMatchObject(back("product#k002"));
    expect(answer(session, first, "closed", 1).writes).toMatchObject(back("product#k001"));
  });

  test("u undoes the last change, even if an earlier one is not answered yet", () => {
    const session = opened().keys("x");
    const first = latest(session);
    answer(session.keys("j", "x"), latest(session), "closed", 2);
    expect(said(session)).toBe("closed product#k002   u undo");
    expect(session.keys("u").writes).toMatchObject([
      { act: "reopen", at: { name: "product#k002" } },
    ]);
    expect(said(session.keys("u"))).toBe(WAITS);
    expect(answer(session, first, "closed").writes).toMatchObject([
      { act: "reopen", at: { name: "product#k001" } },
    ]);
  });

  test("U before the answer leaves the change as it is", () => {
    const session = opened().keys("x", "u", "U");
    expect(said(session)).toBe("closed product#k001: it stays");
    expect(answer(session, latest(session), "closed").writes).toEqual([]);
    expect(said(session)).toBe("closed product#k001   u undo");
  });

  test("U while an undo is unanswered redoes the change once it is answered", () => {
    const session = opened().keys("x");
    answer(session, latest(session), "closed").keys("u", "U");
    expect(said(session)).toBe(
      "closed product#k001: U makes it again once the daemon has answered",
    );
    expect(answer(session, latest(session), "open").writes).toMatchObject([{ act: "close" }]);
    session.keys("u");
    expect(said(session)).toBe(WAITS);
    expect(answer(session, latest(session), "closed").writes).toMatchObject([{ act: "reopen" }]);
  });

  test("u after an unanswered inbox request says that a request cannot be undone", () => {
    const session = opened().keys("i").type("bo").keys("enter").type("look").keys("enter", "u");
    expect(said(session)).toMatch(/^a request is not taken back/);
  });
});
