import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { boardRows } from "../../src/screen/board/board.ts";
import { cardsOf } from "../../src/screen/board/lane-places.ts";
import { lanesOf } from "../../src/screen/board/lanes.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { cardAt, lanesIn } from "../../tui/screens/cards.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { issue, NOW, type Session, sample, screen } from "./support.ts";

const PLAIN = painter("none");
const DAY = 86_400_000;
const at = (ms: number): string => msToInstant(instantToMs(NOW) + ms);

/** Returns the content of each lane, by short id. */
function lanes({ state }: Session): Readonly<Record<string, readonly string[]>> {
  const { lanes: all, rows } = lanesOf(state);
  return Object.fromEntries(
    all.map(({ name, start, end }) => [
      name,
      rows.slice(start, end).map((row) => row.issue.short_id),
    ]),
  );
}

/** Returns the visible cards of each lane, from the top. */
function drawn({ state }: Session): Readonly<Record<string, readonly string[]>> {
  const { lanes: all, rows } = lanesOf(state);
  return Object.fromEntries(
    all.map((lane) => [
      lane.name,
      cardsOf(state, lane).map(({ row }) => rows[row]?.issue.short_id ?? ""),
    ]),
  );
}

const byState = (columns: number, rows: number, issues?: readonly Issue[]) =>
  screen(columns, rows, issues).keys("v", "v");
const byOwner = (columns: number, rows: number, issues?: readonly Issue[]) =>
  screen(columns, rows, issues).keys("v", "v", "v");

/** Thirty issues of one owner, thirty of another and ten without an owner, the newest first. */
const many = () =>
  Array.from({ length: 70 }, (_none, number) =>
    issue(number, {
      owner: ["ana", "bo", undefined][Math.floor(number / 30)],
      updated_at: at(-number * 1000),
    }),
  );

const change = (session: Session, issues: readonly Issue[], gone: readonly string[] = []) =>
  session.changed(issues, gone);

const lines = ({ state }: Session): readonly string[] =>
  frame(state, PLAIN).map(stripVTControlCharacters);

describe("the view key v", () => {
  test("switches from nested to flat, lanes by state, lanes by owner and back, with the cursor on its issue", () => {
    const session = screen(80, 24).keys("j", "j");
    const before = session.cursor;
    const seen = Array.from({ length: 4 }, () => {
      session.keys("v");
      expect(session.cursor).toBe(before);
      return session.state.board.view;
    });
    expect(seen).toEqual(["flat", "states", "owners", "nested"]);
  });

  test.each([
    [40, 1],
    [79, 1],
    [80, 3],
    [98, 3],
    [99, 4],
    [160, 4],
    [250, 4],
  ])(
    "a screen of %i columns shows %i lanes side by side, each of at least 24 cells",
    (columns, count) => {
      const { state } = byState(columns, 24);
      const grid = lanesIn(state);
      expect(grid.count).toBe(count);
      expect(grid.width).toBeGreaterThanOrEqual(24);
    },
  );

  test("a screen with room for one lane names all lanes, with their counts", () => {
    const [, , header] = lines(byState(60, 24));
    expect(header?.trimEnd()).toBe(" Blocked 1  Ready 3 [Waiting 2] Closed 7d 1");
  });

  test("puts the open issue beside four lanes from 180 columns on, and L hides it", () => {
    expect(lines(byState(179, 24).keys("right"))[2]).not.toContain("Comments");
    const session = byState(180, 30);
    expect(lanesIn(session.state)).toMatchObject({ count: 4, width: 29 });
    session.keys("tab");
    expect(session.state.window.focus).toBe("detail");
    session.keys("L");
    expect(lanesIn(session.state).width).toBe(44);
  });
});

describe("lanes by state", () => {
  test.each([
    ["Ready", {}],
    ["Ready", { child_counts: { open: 0, total: 3 } }],
    ["Ready", { metadata: { scheduled_on: "2026-11-20" } }],
    ["Waiting", { metadata: { scheduled_on: "2026-11-30" } }],
    ["Waiting", { metadata: { someday: true } }],
    ["Blocked", { blocked: true, blocked_by: [issue(9).uid] }],
    ["Blocked", { blocked: true, blocked_by: [issue(9).uid], metadata: { someday: true } }],
    ["Ready", { blocked_by: [issue(8).uid] }],
    ["Closed", { status: "closed", closed_at: at(1000 - 7 * DAY) }],
    [undefined, { status: "closed", closed_at: at(-1000 - 7 * DAY), updated_at: NOW }],
    ["Closed", { status: "closed", updated_at: at(1000 - 7 * DAY) }],
    [undefined, { status: "closed", updated_at: at(-1000 - 7 * DAY) }],
  ] as const)("show in the lane %s an issue with %j", (lane, more) => {
    const others = [issue(8, { status: "closed", closed_at: at(-30 * DAY) }), issue(9)];
    const session = byState(160, 50, [issue(1, more as Partial<Issue>), ...others]);
    const found = Object.entries(lanes(session)).filter(([, ids]) => ids.includes("k001"));
    expect(found.map(([name]) => name)).toEqual(lane === undefined ? [] : [lane]);
  });

  test("contain a parent that waits for its children, and the children", () => {
    expect(lanes(byState(80, 24))).toEqual({
      Blocked: ["k002"],
      Ready: ["k005", "k004", "k003"],
      Waiting: ["k007", "k001"],
      Closed: ["k006"],
    });
  });

  test("follow the order, and the filter except for its status", () => {
    const session = byState(80, 24).keys("/").fill("").type("status:blocked p<=2").keys("enter");
    expect(lanes(session)).toEqual({
      Blocked: ["k002"],
      Ready: ["k004", "k003"],
      Waiting: ["k001"],
      Closed: [],
    });
    session.keys("c", "o", "o");
    expect(lanes(session)["Ready"]).toEqual(["k004", "k003", "k005"]);
    session.keys("s");
    expect(session.state.messages.notice?.text).toBe("the lanes are the states");
  });

  test("lanes without any cards say what to do", () => {
    const session = byState(80, 24).keys("/").type("nothing-has-this").keys("enter");
    expect(lines(session).join("\n")).toContain("no issues match: c clears the filter");
  });
});

describe("lanes by owner", () => {
  test("are ordered by owner name, with unowned issues last; the filter's status applies", () => {
    const session = byOwner(160, 50);
    expect(lanes(session)).toEqual({
      bo: ["k005"],
      claude: ["k002", "k001"],
      codex: ["k003"],
      "": ["k007", "k004"],
    });
    session.keys("s");
    expect(lanes(session)).toEqual({ bo: ["k005"], codex: ["k003"], "": ["k004"] });
  });

  test("keep the lane of unowned issues apart from the lane of an owner called none", () => {
    const issues = [issue(1, { owner: "none" }), issue(2), issue(3, { owner: "zoe" })];
    expect(Object.entries(lanes(byOwner(80, 24, issues)))).toEqual([
      ["none", ["k001"]],
      ["zoe", ["k003"]],
      ["", ["k002"]],
    ]);
  });
});

describe("the cursor in lanes", () => {
  test("moves in its lane, by cards and pages, and no further than its ends", () => {
    const session = byOwner(80, 24, many()).keys("g");
    expect(session.cursor).toBe("k000");
    expect(session.keys("k").cursor).toBe("k000");
    expect(session.keys("j").cursor).toBe("k001");
    const shown = drawn(session)["ana"]?.length ?? 0;
    session.keys("pgdn");
    expect(session.cursor).toBe(`k${String(shown).padStart(3, "0")}`);
    expect(session.keys("G").cursor).toBe("k029");
    expect(session.keys("j").cursor).toBe("k029");
    expect(session.keys("pgup", "g").cursor).toBe("k000");
  });

  test("scrolls its own lane and leaves the others in place", () => {
    const session = byOwner(80, 24, many()).keys("g");
    const before = drawn(session);
    session.keys("G");
    expect(drawn(session)["ana"]?.at(-1)).toBe("k029");
    expect(drawn(session)["bo"]).toEqual(before["bo"]);
    const left = drawn(session)["ana"];
    session.keys("right", "pgdn", "pgdn");
    expect(drawn(session)["ana"]).toEqual(left);
    expect(drawn(session)["bo"]).not.toEqual(before["bo"]);
  });

  test("the cursor and every lane start at the top in another project", () => {
    const session = byOwner(80, 24, many()).keys("g");
    const before = drawn(session);
    session
      .keys("G", "right")
      .tell({ type: "scope", scope: { project: { id: 2, name: "infra" } } });
    const { serial } = session.state.loading;
    const issues = many().map((one) => ({ ...one, project_id: 2 }));
    session.tell({ type: "issues", part: "all", serial, issues, gone: [], truncated: false });
    expect(drawn(session)).toEqual(before);
  });

  test("moves to the card beside it, past empty lanes", () => {
    const session = byOwner(80, 24, many()).keys("g", "j", "j", "right");
    expect(session.cursor).toBe("k032");
    expect(session.keys("left").cursor).toBe("k002");
    const sides = byState(80, 24, [
      issue(1, { blocked: true, blocked_by: [issue(99).uid] }),
      issue(2, { metadata: { someday: true } }),
    ]).keys("left");
    expect(sides.cursor).toBe("k001");
    expect(sides.keys("right").cursor).toBe("k002");
    sides.keys("right");
    expect(sides.state.messages.notice?.text).toBe("no lane is further right");
  });

  test("stays on its issue and its line when other cards come before it, and follows it into another lane", () => {
    const session = byOwner(80, 24, many()).keys("g", "j", "j");
    const { line } = session.state.board;
    change(session, [issue(90, { owner: "ana", updated_at: at(1000) })]);
    expect(session.cursor).toBe("k002");
    expect(session.state.board.line).toBe(line);
    change(session, [issue(2, { owner: "bo", updated_at: at(2000), revision: 2 })]);
    expect(session.cursor).toBe("k002");
    expect(lanes(session)["bo"]?.[0]).toBe("k002");
  });

  test("moves to the next card of its lane when its issue leaves, and from the last to the one above", () => {
    const session = byOwner(80, 24, many()).keys("g", "j");
    change(session, [], [issue(1).uid]);
    expect(session.cursor).toBe("k002");
    session.keys("G");
    change(session, [], [issue(29).uid]);
    expect(session.cursor).toBe("k028");
  });

  test("is put on a card by a click on any line of it, and a second click opens it", () => {
    const session = byOwner(80, 24, many()).keys("g");
    const { width } = lanesIn(session.state);
    session.tell({ type: "mouse", act: "click", x: width + 3, y: 3 + 4 });
    expect(session.cursor).toBe("k031");
    session.tell({ type: "mouse", act: "click", x: width + 3, y: 3 + 3 });
    expect(session.state.detail.open).toEqual([issue(31).uid]);
    expect(cardAt(session.state, 79, 1)).toBeDefined();
    expect(cardAt(session.state, 90, 1)).toBeUndefined();
  });
});

describe("marks in lanes", () => {
  test("work as in the list, and a range stays in its lane", () => {
    const session = byOwner(80, 24, many()).keys("g", "space", "j", "V");
    expect(session.state.marks.size).toBe(3);
    session.keys("right", "V");
    expect(session.state.marks.size).toBe(4);
  });
});

describe("carrying a card to another lane", () => {
  const act = (session: Session) =>
    session.writes.map((write) => ("at" in write ? [write.act, write.at.ref] : [write.act]));

  test.each([
    ["by state, right: closes", ["v", "v", "right", "left", ">"], [["close", "k007"]]],
    ["by state, right with shift", ["v", "v", "shift+right"], [["close", "k007"]]],
    ["by state, left out of Closed: reopens", ["v", "v", "G", "right", "<"], [["reopen", "k006"]]],
    ["by owner, left: to the owner before", ["v", "v", "v", "<"], [["assign", "k007"]]],
    ["by owner, right: to nobody", ["v", "v", "v", "left", ">"], [["unassign", "k003"]]],
    ["with what is marked", ["v", "space", "space", "v", "v", "left", "<"], []],
  ])("sends the right change (%s) after the keys %j", (name, keys, expected) => {
    const session = screen(80, 24).keys(...keys);
    if (name !== "with what is marked") expect(act(session)).toEqual(expected);
    else expect(act(session).map(([what]) => what)).toEqual(["assign", "assign"]);
  });

  test.each([
    ["v v <", "blocked, ready or waiting: links, dates and children decide that"],
    ["v v G right >", "no lane is further right"],
    ["v v v >", "no lane is further right"],
    ["v v v left left left <", "no lane is further left"],
  ])("is refused after the keys %s, and a message says why", (keys, text) => {
    const session = screen(80, 24).keys(...keys.split(" "));
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe(text);
  });

  test("requires the number of cards to be typed if there are more than twenty", () => {
    const session = byOwner(80, 24, many()).keys("g", "space", "G", "V", ">");
    expect(session.writes).toEqual([]);
    expect(session.state.dialog).toMatchObject({ expected: "30" });
    session.fill("30").keys("enter");
    expect(session.writes).toHaveLength(30);
    expect(session.writes[0]).toMatchObject({ act: "assign", owner: "bo" });
  });

  test("is undone by u", () => {
    const session = byOwner(80, 24).keys("left", ">");
    const [done] = session.state.writes.sent;
    session.tell({ type: "written", id: done?.id ?? 0, issue: issue(3, { revision: 2 }) });
    session.keys("u");
    expect(session.writes).toMatchObject([{ act: "assign", owner: "codex" }]);
  });
});

test("lanes are computed once for each change, whatever keys are pressed", () => {
  const session = byOwner(160, 50, many());
  const before = lanesOf(session.state);
  session.keys("j", "right", "space", "pgdn", "G", "left", "enter", "esc", "?", "esc");
  expect(lanesOf(session.state)).toBe(before);
  change(session, [issue(3, { owner: "bo", revision: 2 })]);
  expect(lanesOf(session.state)).not.toBe(before);
});

test("every line is exactly as wide as the terminal and the cursor is drawn, at any size and with any text", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 120 }),
    fc.constantFrom(
      "日本語のタイトル 👩‍💻 wide",
      "a".repeat(300),
      "",
      "مرحبا بالعالم",
      "two  words",
    ),
  );
  const some = fc.array(
    fc.record({
      title: text,
      owner: fc.option(fc.constantFrom("ana", "bo", "日本", "x".repeat(40)), { nil: undefined }),
      labels: fc.array(text, { maxLength: 3 }),
      status: fc.constantFrom("open", "closed"),
      priority: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    }),
    { maxLength: 40 },
  );
  const keys = fc.array(
    fc.constantFrom("j", "k", "left", "right", "pgdn", "pgup", "g", "G", "space", "o", "v", "L"),
    { maxLength: 20 },
  );
  const size = fc.record({
    columns: fc.integer({ min: 40, max: 250 }),
    rows: fc.integer({ min: 10, max: 70 }),
  });
  fc.assert(
    fc.property(
      some,
      keys,
      size,
      size,
      fc.constantFrom(1, 2),
      (all, pressed, first, second, by) => {
        const issues = all.map((more, number) => issue(number, more as Partial<Issue>));
        const session = screen(first.columns, first.rows, issues).keys("v", ...Array(by).fill("v"));
        for (const [place, key] of pressed.entries()) {
          session.keys(key);
          if (place === 10) session.tell({ type: "resize", ...second });
          const { state } = session;
          const shown = frame(state, PLAIN);
          expect(shown).toHaveLength(state.window.rows);
          for (const line of shown)
            expect([line, stringWidth(line)]).toEqual([line, state.window.columns]);
          if (state.board.view === "nested" || state.board.view === "flat") continue;
          if (boardRows(state).length === 0) continue;
          const visible = Object.values(drawn(session)).flat();
          expect(visible).toContain(session.cursor);
        }
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test("at 40x10 the part of the lanes that has room is drawn", () => {
  const session = byState(40, 10, sample());
  expect(
    lines(session)
      .slice(2, 6)
      .map((line) => line.trimEnd()),
  ).toMatchInlineSnapshot(`
    [
      " Blocked 1  Ready 3 [Waiting 2] Closed ~",
      "> k007                               23h",
      "  Later",
      "",
    ]
  `);
});
