import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { boardLayout } from "../../tui/room.ts";
import { drawBoard } from "../../tui/screens/board.ts";
import { painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { issue, type Session, sample, screen } from "./support.ts";

function drawn({ state }: Session): readonly string[] {
  const { list } = boardLayout(state);
  if (list === undefined) return [];
  const lines = drawBoard(state, painter("none"), list).map(stripVTControlCharacters);
  for (const line of lines) expect([line, cells(line)]).toEqual([line, list.width]);
  return lines;
}

const header = (columns: number, rows: number): readonly string[] =>
  (drawn(screen(columns, rows))[0] ?? "").trim().split(/ +/);

describe("the columns of the list", () => {
  test.each([
    [40, 24, ["ID", "S", "TITLE"]],
    [47, 24, ["ID", "S", "PR", "TITLE"]],
    [48, 24, ["ID", "S", "PR", "TITLE", "AGE"]],
    [68, 24, ["ID", "S", "PR", "TITLE", "AGE"]],
    [79, 24, ["ID", "S", "PR", "TITLE", "OWNER", "AGE"]],
    [80, 24, ["ID", "S", "PR", "TITLE", "LABELS", "OWNER", "AGE"]],
    [119, 24, ["ID", "S", "PR", "TITLE", "LABELS", "OWNER", "AGE"]],
    // From this width on, the list has only a part of the screen.
    [120, 30, ["ID", "S", "PR", "TITLE", "AGE"]],
    [160, 30, ["ID", "S", "PR", "TITLE", "OWNER", "AGE"]],
    [180, 50, ["ID", "S", "PR", "TITLE", "LABELS", "OWNER", "AGE"]],
  ])("the list at %ix%i has the columns %j", (columns, rows, expected) => {
    expect(header(columns, rows)).toEqual(expected);
  });

  test("give labels ten cells and owners six at 80 columns, and more if there is room", () => {
    const widths = (columns: number, rows: number): readonly number[] => {
      const [line = ""] = drawn(screen(columns, rows));
      return [line.indexOf("OWNER") - line.indexOf("LABELS"), line.length - line.indexOf("OWNER")];
    };
    expect([widths(80, 24), widths(105, 15), widths(190, 50)]).toEqual([
      [11, 11],
      [17, 14],
      [17, 14],
    ]);
  });
});

test("rows stay below their header when a resize moves the list at the same width", () => {
  const paint = painter("none");
  const session = screen(160, 50);
  const lines = (): readonly string[] => {
    const { list } = boardLayout(session.state);
    if (list === undefined) throw new Error("there is room for a list");
    expect(list.width).toBe(87);
    return drawBoard(session.state, paint, list).map(stripVTControlCharacters);
  };
  const owners = (): readonly number[] => {
    const [head = "", ...rows] = lines();
    const row = rows.find((line) => line.includes("codex")) ?? "";
    return [head.indexOf("OWNER"), row.indexOf("codex")];
  };
  const [head, row] = owners();
  expect(row).toBe(head);
  session.tell({ type: "resize", columns: 87, rows: 24 });
  const [narrowHead, narrowRow] = owners();
  expect(narrowHead).not.toBe(head);
  expect(narrowRow).toBe(narrowHead);
});

describe("the ids in the list", () => {
  test("are shown whole, however long the longest is, and aligned", () => {
    const session = screen(80, 24, [issue(1, { short_id: "n559741" }), issue(2)]);
    const [head = "", ...rows] = drawn(session);
    expect(rows.join("\n")).toContain("n559741  o");
    expect(rows.slice(0, 2).map((row) => row.indexOf(" o "))).toEqual([
      head.indexOf("S") - 1,
      head.indexOf("S") - 1,
    ]);
    expect(drawn(screen(80, 24, [issue(2)]))[0]).toMatch(/^ {2}ID {4}S /);
  });
});

describe("a row of the list", () => {
  test.each([
    ["the cursor", [], "> "],
    ["a mark", ["space", "j"], " *"],
    ["the cursor and a mark", ["space", "k"], ">*"],
  ])("shows %s before its id", (_name, keys, expected) => {
    const [, first = ""] = drawn(screen(80, 24).keys(...keys));
    expect(first.slice(0, 6)).toBe(`${expected}k007`);
  });

  test.each([
    ["Short", "Short (1/6)"],
    ["Release 1.4: notes that would be too long for this", "Release 1.4: notes that~ (1/6)"],
  ])("shortens the title and not the count of finished children: %s", (title, expected) => {
    const parent = issue(1, { title, child_counts: { open: 5, total: 6 } });
    const [, line = ""] = drawn(screen(40, 24, [parent]));
    expect(line.slice(10).trim()).toBe(expected);
  });

  const blocker = issue(2);
  test.each([
    ["o", "is ready", {}, []],
    ["o", "was scheduled for a day in the past", { metadata: { scheduled_on: "2026-11-19" } }, []],
    ["o", "has closed children only", {}, [issue(3, { parent: issue(1).uid, status: "closed" })]],
    ["b", "has an open blocker", { blocked: true, blocked_by: [blocker.uid] }, [blocker]],
    [
      "b",
      "has an open blocker and is parked too",
      { blocked: true, blocked_by: [blocker.uid], metadata: { someday: true } },
      [blocker],
    ],
    [
      "o",
      "has only a closed blocker",
      { blocked_by: [blocker.uid] },
      [{ ...blocker, status: "closed" }],
    ],
    ["w", "is parked", { metadata: { someday: true } }, []],
    ["w", "is scheduled for a day in the future", { metadata: { scheduled_on: "2026-11-23" } }, []],
    ["w", "has an open child", {}, [issue(3, { parent: issue(1).uid })]],
    [
      "w",
      "has a parked parent",
      { parent: issue(4).uid },
      [issue(4, { metadata: { someday: true } })],
    ],
    ["x", "is closed", { status: "closed" }, []],
  ] as const)("has the letter %s if its issue %s: %j", (letter, _how, more, others) => {
    const session = screen(80, 24, [issue(1, more), ...others]).keys("s", "s", "s", "s", "s");
    const line = drawn(session).find((one) => one.slice(2).startsWith("k001")) ?? "";
    expect(line[8]).toBe(letter);
  });

  test("is the same with and without colours", () => {
    const session = screen(80, 24, sample()).keys("space");
    const plain = ["dark", "light", "none"].map((mode) => {
      const { list } = boardLayout(session.state);
      if (list === undefined || (mode !== "dark" && mode !== "light" && mode !== "none")) return [];
      return drawBoard(session.state, painter(mode), list).map(stripVTControlCharacters);
    });
    expect(plain[1]).toEqual(plain[0]);
    expect(plain[2]).toEqual(plain[0]);
  });
});

describe("titles on the board", () => {
  const long = "a title that is longer than any screen ".repeat(10);
  const shown = (session: Session): number => {
    const [, row = ""] = drawn(session);
    return row.indexOf("~") - row.indexOf("a title");
  };

  test.each([
    ["auto", "k001", "ago", 50],
    ["auto", "k0010011", "ago", 50],
    ["auto", "k001", "clock", 50],
    ["auto", "k001", "ago", 12],
    ["stacked", "k001", "ago", 50],
  ] as const)(
    "are never shorter on a wider screen (layout %s, id %s, times %s, %i rows)",
    (layout, short_id, times, rows) => {
      const session = screen(40, rows, [issue(1, { title: long, short_id })]);
      session.state = {
        ...session.state,
        preferences: { ...session.state.preferences, layout, times },
      };
      let before = 0;
      for (let columns = 40; columns <= 260; columns += 1) {
        session.tell({ type: "resize", columns, rows });
        expect([columns, shown(session)]).toEqual([columns, Math.max(before, shown(session))]);
        before = shown(session);
      }
      expect(before).toBeGreaterThan(50);
    },
  );

  test("have at least 59 cells beside an open issue", () => {
    const of = (columns: number) => shown(screen(columns, 50, [issue(1, { title: long })]));
    expect([of(80), of(99), of(120), of(140), of(160), of(200)]).toEqual([43, 59, 59, 59, 59, 64]);
  });
});
