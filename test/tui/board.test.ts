import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boardRows, cursorIndex, placeOf, topLine } from "../../src/screen/board/board.ts";
import { drawBoard } from "../../tui/screens/board.ts";
import { painter } from "../../tui/style.ts";
import { issue, NOW, type Session, sample, screen } from "./support.ts";

const ids = ({ state }: Session): readonly string[] =>
  boardRows(state).map(({ issue: { short_id }, depth, context }) => {
    return `${"  ".repeat(depth)}${context ? "~" : ""}${short_id}`;
  });

/** Thirty issues in the order of their numbers, the newest first. */
const many = () => Array.from({ length: 30 }, (_none, at) => issue(at + 1));

const change = (session: Session, ...changed: ReturnType<typeof issue>[]) =>
  session.changed(changed);

test("rows that load after the first frame keep the top of the list in view, until the cursor moves", () => {
  const [older, newer] = [many().slice(0, 10), many()];
  const tell = (
    session: Session,
    part: "first" | "all",
    issues: readonly ReturnType<typeof issue>[],
  ) => session.tell({ type: "issues", part, serial: 9, issues, gone: [], truncated: false });
  const [still, moved] = [screen(80, 24, []), screen(80, 24, [])];
  for (const session of [still, moved]) {
    session.state = { ...session.state, loading: { ...session.state.loading, stage: "first" } };
    tell(session, "first", older);
    expect(session.cursor).toBe("k010");
  }
  moved.keys("j");
  for (const session of [still, moved]) tell(session, "all", newer);
  expect([still.cursor, cursorIndex(still.state), topLine(still.state)]).toEqual(["k030", 0, 0]);
  expect(moved.cursor).toBe("k009");
});

test("changing the order starts at the top, on the first row that matches, in the list and in each lane", () => {
  const urgent = { ...issue(1), priority: 0 };
  const session = screen(80, 24, [...many().slice(1), urgent]).keys("v", "G");
  expect([session.cursor, topLine(session.state)]).toEqual(["k001", 11]);
  session.keys("k", "k", "o");
  expect([session.cursor, topLine(session.state)]).toEqual([ids(session)[0], 0]);
  session.keys("G", "k", "o");
  expect([session.cursor, topLine(session.state)]).toEqual(["k001", 0]);
  // A change by somebody else does not move the cursor off its issue.
  change(session, { ...issue(9), priority: 0, title: "First by now" });
  expect(session.cursor).toBe("k001");

  const nested = screen(80, 24).keys("/").fill("").type("replay").keys("enter", "o");
  expect([ids(nested), nested.cursor]).toEqual([["~k001", "  k002"], "k002"]);

  const lanes = screen(160, 30, [...many().slice(1), urgent]).keys("v", "v", "G", "o", "o");
  expect([lanes.cursor, lanes.state.board.line]).toEqual(["k001", 0]);
});

describe("the rows of the board", () => {
  test("are nested below their parents, which stay as context if only a child matches", () => {
    expect(ids(screen(80, 24))).toEqual(["k007", "k005", "k004", "k001", "  k003", "  k002"]);
    expect(ids(screen(80, 24).keys("/").fill("").type("replay").keys("enter"))).toEqual([
      "~k001",
      "  k002",
    ]);
    expect(ids(screen(80, 24).keys("v"))).toEqual(["k007", "k005", "k004", "k003", "k002", "k001"]);
  });

  test("follow the chosen order", () => {
    const session = screen(80, 24).keys("v", "o");
    expect(session.state.board.order).toBe("created");
    expect(ids(session.keys("o"))[0]).toBe("k004");
    session.keys("o");
    expect(session.state.board.order).toBe("blockers");
    expect(ids(session).indexOf("k003")).toBeLessThan(ids(session).indexOf("k002"));
  });

  test.each([
    ["due", ["k003", "k001", "k002"]],
    ["-due", ["k001", "k003", "k002"]],
    ["title", ["k002", "k003", "k001"]],
    ["-title", ["k001", "k003", "k002"]],
    ["owner", ["k002", "k001", "k003"]],
    ["-owner", ["k001", "k002", "k003"]],
    ["-priority", ["k003", "k002", "k001"]],
    ["id", ["k001", "k002", "k003"]],
    ["-updated", ["k001", "k002", "k003"]],
  ])("are in the order %s, with rows without a value at the end", (sort, expected) => {
    const issues = [
      issue(1, { title: "c", owner: "bo", metadata: { deadline_on: "2026-12-01" } }),
      issue(2, { title: "A", owner: "ann", priority: 0 }),
      issue(3, { title: "b", priority: 4, metadata: { deadline_on: "2026-11-01" } }),
    ];
    const session = screen(80, 24, issues).keys(":").type(`order ${sort}`).keys("enter");
    expect([session.state.board.order, ids(session)]).toEqual([sort, expected]);
    // An issue that changes later comes to the same place as in a list that is sorted again.
    const moved = { ...issue(2), title: "z", metadata: { deadline_on: "2027-01-01" } };
    session.changed([moved]);
    const fresh = screen(80, 24, [issues[0] ?? moved, moved, issues[2] ?? moved]);
    expect(ids(session)).toEqual(ids(fresh.keys(":").type(`order ${sort}`).keys("enter")));
  });

  test("are reversed by O, and o continues with the next order", () => {
    const session = screen(80, 24).keys("v", "O");
    expect([session.state.board.order, ids(session)[0]]).toEqual(["-updated", "k001"]);
    expect(session.keys("O").state.board.order).toBe("updated");
    expect(session.keys("O", "o").state.board.order).toBe("created");
  });

  test("show one state after the other by the key s: open, ready, blocked, waiting, closed, all", () => {
    const session = screen(80, 24).keys("v");
    const seen = ["ready", "blocked", "waiting", "closed", "all", "open"].map((status) => {
      session.keys("s");
      expect(session.state.board.query).toBe(`status:${status}`);
      return ids(session);
    });
    expect(seen).toEqual([
      ["k005", "k004", "k003"],
      ["k002"],
      ["k007", "k001"],
      ["k006"],
      ["k007", "k006", "k005", "k004", "k003", "k002", "k001"],
      ["k007", "k005", "k004", "k003", "k002", "k001"],
    ]);
  });

  test.each([
    ["owner:claude", ["k002", "k001"]],
    ["owner:none", ["k007", "k004"]],
    ["label:api", ["k003"]],
    ["-label:api p<=1", ["k004", "k002", "k001"]],
    ["p:2", ["k003"]],
    ["meta.someday=true", ["k007"]],
    ["k004", ["k004"]],
    ["daemon path", ["k004"]],
    ["status:all 日本", ["k005"]],
    ["nothing-has-this", []],
  ])("the rows filtered by %j are %j", (query, expected) => {
    const session = screen(80, 24).keys("v", "/").fill("").type(query);
    expect(ids(session)).toEqual(expected);
  });

  test("lose the filter with Escape and keep it with Enter", () => {
    const session = screen(80, 24).keys("/").type("daemon").keys("esc");
    expect(session.state.board.query).toBe("status:open");
    session.keys("/").type("daemon").keys("enter");
    expect(session.state.board.query).toBe("status:open daemon");
    expect(session.keys("c").state.board.query).toBe("status:open");
  });
});

describe("the cursor of the board", () => {
  test("stays on its issue and its line when other rows come before it", () => {
    const session = screen(80, 24, many()).keys("j", "j", "j");
    const line = cursorIndex(session.state) - topLine(session.state);
    const before = session.cursor;
    change(session, issue(90, { updated_at: NOW }), issue(91, { updated_at: NOW }));
    expect(session.cursor).toBe(before);
    expect(cursorIndex(session.state)).toBe(5);
    expect(cursorIndex(session.state) - topLine(session.state)).toBe(line);
  });

  test("moves to the row below when its issue leaves, and above if it was the last", () => {
    const session = screen(80, 24, many()).keys("j");
    expect(session.cursor).toBe("k029");
    change(session, issue(29, { status: "closed", revision: 2 }));
    expect(session.cursor).toBe("k028");
    session.keys("G");
    expect(session.cursor).toBe("k001");
    change(session, issue(1, { status: "closed", revision: 2 }));
    expect(session.cursor).toBe("k002");
  });

  test("moves to a row that matches a filter, and not to a parent that is shown only for its child", () => {
    const session = screen(80, 24).keys("j", "j", "j");
    expect(session.cursor).toBe("k001");
    session.keys("/").type("replay").keys("enter");
    expect([ids(session), session.cursor]).toEqual([["~k001", "  k002"], "k002"]);
    expect(screen(80, 24).keys("/").type("replay").keys("enter").cursor).toBe("k002");
  });

  test("stays on a parent that is shown only for its child if the person moved it there", () => {
    const session = screen(80, 24).keys("/").type("replay").keys("enter", "k");
    expect(session.cursor).toBe("k001");
    change(session, issue(2, { ...session.state.issues.get(issue(2).uid), revision: 2 }));
    expect(session.cursor).toBe("k001");
    expect(session.keys("/").type("token").keys("enter").cursor).toBe("k002");
  });

  test("stays on an issue that somebody else closes while the issue is still shown for a child", () => {
    const session = screen(80, 24).keys("j", "j", "j");
    const parent = session.state.issues.get(issue(1).uid) ?? issue(1);
    change(session, { ...parent, status: "closed", revision: 2 });
    expect([session.cursor, ids(session)]).toEqual([
      "k001",
      ["k007", "k005", "k004", "~k001", "  k003", "  k002"],
    ]);
  });

  test("has a position that is counted among the matching rows", () => {
    const session = screen(80, 24).keys("/").type("token").keys("enter");
    expect(ids(session)).toEqual(["~k001", "  k003", "  k002"]);
    expect([placeOf(session.state), placeOf(session.keys("j").state)]).toEqual([
      { at: 1, count: 2 },
      { at: 2, count: 2 },
    ]);
    expect(placeOf(session.keys("g").state)).toEqual({ at: 0, count: 2 });
  });

  test("is on a folded row if all matching rows are below it", () => {
    const session = screen(80, 24).keys("E", "s", "s");
    expect(session.state.board.query).toContain("status:blocked");
    expect(session.cursor).toBe("k001");
  });

  test("folds rows in another project, whatever was folded in the previous project", () => {
    const family = (first: number, project_id: number) =>
      Array.from({ length: 30 }, (_none, at) => {
        const child = at === 29 ? { parent: issue(first).uid } : {};
        return issue(first + at, { project_id, ...child });
      });
    const session = screen(80, 24, family(1, 1)).keys("E");
    session.tell({ type: "scope", scope: { project: { id: 2, name: "infra" } } });
    const { serial } = session.state.loading;
    const read = { type: "issues", part: "all", gone: [], truncated: false } as const;
    session.tell({ ...read, serial, issues: family(31, 2) });
    const count = boardRows(session.state).length;
    expect(boardRows(session.keys("E").state)).toHaveLength(count - 1);
    expect(boardRows(session.keys("E").state)).toHaveLength(count);
  });

  test("is always on a row that is drawn, after any keys, changes and resizes", () => {
    const keys = ["j", "k", "G", "g", "pgdn", "pgup", "s", "v", "o", "E", "left", "right", "space"];
    const steps = fc.array(
      fc.oneof(
        fc.record({ key: fc.constantFrom(...keys) }),
        fc.record({ number: fc.integer({ min: 1, max: 40 }), open: fc.boolean() }),
        fc.record({ rows: fc.integer({ min: 10, max: 40 }) }),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, (done) => {
        const session = screen(80, 24, [...many(), ...sample()]);
        let revision = 2;
        for (const one of done) {
          if ("key" in one) session.keys(one.key);
          else if ("rows" in one) session.tell({ type: "resize", columns: 80, rows: one.rows });
          else
            change(
              session,
              issue(one.number, { status: one.open ? "open" : "closed", revision: revision++ }),
            );
          const { state } = session;
          const rows = boardRows(state);
          if (rows.length === 0) continue;
          const index = cursorIndex(state);
          expect(index).toBeGreaterThanOrEqual(topLine(state));
          expect(index).toBeLessThan(topLine(state) + state.window.rows - 5);
        }
      }),
    );
  });
});

describe("marked rows", () => {
  test("are marked one by one or as a range, survive a filter, and commands act on all of them", () => {
    const session = screen(80, 24, many()).keys("space", "j", "V");
    expect([...session.state.marks]).toHaveLength(3);
    session.keys("/").fill("").type("nothing-has-this").keys("enter", "x");
    expect(session.writes.map((write) => write.act)).toEqual(["close", "close", "close"]);
  });

  test("of a range do not include a parent that is shown only for its child, unless the cursor is on it", () => {
    const child = issue(2, { title: "apple too", parent: issue(1).uid });
    const session = screen(80, 24, [issue(9, { title: "apple" }), issue(1), child]);
    session.keys("/").fill("").type("apple").keys("enter", "g", "V", "G", "V");
    expect(ids(session)).toEqual(["k009", "~k001", "  k002"]);
    expect([...session.state.marks]).toEqual([issue(9).uid, issue(2).uid]);
    expect([...session.keys("k", "V").state.marks]).toContain(issue(1).uid);
  });

  test("are changed only after their number was typed if there are more than twenty", () => {
    const session = screen(80, 24, many()).keys("space", "G", "V", "x");
    expect(session.writes).toEqual([]);
    expect(session.state.dialog).toMatchObject({ dialog: "type", expected: "30" });
    session.type("29").keys("enter");
    expect(session.writes).toEqual([]);
    session.fill("30").keys("enter");
    expect(session.writes).toHaveLength(30);
  });

  test("are cleared by Escape, and the next Escape clears the filter", () => {
    const session = screen(80, 24).keys("space", "/").type("daemon").keys("enter", "esc");
    expect([session.state.marks.size, session.state.board.query]).toEqual([
      0,
      "status:open daemon",
    ]);
    expect(session.keys("esc").state.board.query).toBe("status:open");
    expect(session.keys("esc").state.messages.notice?.text).toBe("this is the board: q quits");
  });
});

describe("answers of the daemon", () => {
  test("are dropped if they are about a project that was left", () => {
    const session = screen(80, 24).keys("5", "j", "enter");
    expect(session.state.scope.project?.name).toBe("infra");
    const stale = {
      type: "issues",
      part: "all",
      serial: 0,
      issues: sample(),
      gone: [],
      truncated: false,
    } as const;
    session.tell(stale);
    expect(session.state.issues.size).toBe(0);
  });

  test("change nothing if their revision is older, and remove the issues that are gone", () => {
    const session = screen(80, 24, [issue(1, { revision: 5, title: "new" })]);
    change(session, issue(1, { revision: 4, title: "old" }));
    expect(session.state.issues.get(issue(1).uid)?.title).toBe("new");
    session.changed([], [issue(1).uid]);
    expect(session.state.issues.size).toBe(0);
  });
});

test("a chain of 20,000 blockers is sorted", () => {
  const chain = Array.from({ length: 20_000 }, (_none, at) =>
    issue(at + 1, { blocked_by: at === 0 ? [] : [issue(at).uid] }),
  ).toReversed();
  const session = screen(80, 24, chain).keys("v", "o", "o", "o");
  const order = boardRows(session.state).map((row) => row.issue.uid);
  expect(order).toEqual(chain.toReversed().map(({ uid }) => uid));
});

describe("a board without matching rows", () => {
  const below = (query: string): readonly string[] => {
    const session = screen(80, 24).keys("/", "ctrl+u").type(query).keys("enter");
    const pane = { x: 0, width: 80, height: 20 };
    const drawn = drawBoard(session.state, painter("none"), pane);
    return drawn.slice(1).map((row) => stripVTControlCharacters(row).trim());
  };

  test("names an unknown name in the filter, and lists the known names", () => {
    expect(below("ownr:ana")).toContain(
      "no ownr: here, but status: owner: author: project: label: date: rel: p: meta.",
    );
  });

  test("counts the rows that other states would show", () => {
    const [closed] = sample().filter(({ status }) => status === "closed");
    expect(below(closed?.short_id ?? "")).toContain(
      "with status:all there would be 1: s goes through the states",
    );
    expect(below("nothing-has-this").join("\n")).not.toContain("status:all");
  });
});
