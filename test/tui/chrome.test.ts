import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { SECTIONS } from "../../src/screen/detail/state.ts";
import type { InboxItem } from "../../src/screen/inbox/state.ts";
import { keymapOf } from "../../src/screen/keymap.ts";
import { allKeys } from "../../src/screen/keys.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import type { State } from "../../src/screen/state.ts";
import { frame } from "../../tui/screens/frame.ts";
import { CURSOR_END, painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { issue, type Session, screen } from "./support.ts";

const KEYS = allKeys(SCREENS);

const lines = (state: State): readonly string[] =>
  frame(state, painter("none")).map(stripVTControlCharacters);

const WIDTHS = [40, 60, 80, 160];

test.each([
  ["board", ["1"]],
  ["browse", ["shift+tab"]],
  ["inbox", ["2"]],
  ["projects", ["5"]],
])("the header of the %s and the row under the cursor do not look like one bar", (_name, keys) => {
  const session = screen(160, 24);
  const request = { to: "ana", ref: "product#k001" } satisfies InboxItem;
  const inbox = { ...session.state.inbox, requests: [request] };
  session.state = { ...session.state, inbox };
  const drawn = frame(session.keys(...keys, "g").state, painter("dark"));
  const cursor = drawn.findIndex((line) => line.includes(CURSOR_END));
  expect(cursor).toBeGreaterThan(2);
  expect(drawn[cursor - 1]).not.toContain("\u001B[7m");
});

describe("the title bar", () => {
  const title = (columns: number, more: Partial<State> = {}): string => {
    const { state } = screen(columns, 24);
    return lines({ ...state, ...more })[0] ?? "";
  };
  const named = (name: string): Partial<State> => ({
    scope: { ...screen(80, 24).state.scope, project: { id: 1, name } },
  });

  test("names daemon, contract, actor and connection if there is room", () => {
    const connection = { ...screen(160, 24).state.connection, api: "0.15.0" };
    expect(title(160, { connection }).trimEnd()).toMatch(
      /daemon local {2}api 0.15.0 {2}ana {2}live$/,
    );
    expect(title(139).trimEnd()).toMatch(/ana@local live$/);
    expect(title(80).trimEnd()).toMatch(/ ana live$/);
  });

  test("cuts a long name before the right side, and the right side before the tabs", () => {
    const long = named("authentication-service-of-everybody");
    expect(title(110, long)).toContain(" svc  authentication-service-of-ev~  [1 Board] ");
    expect(title(110, long)).toContain(" ana@local live ");
    expect(title(80, long)).toBe(
      " svc  authentic~  [1 Board] 2 Inbox 3 Graph 4 Cron 5 Projects 6 Fleet  ana live ",
    );
    expect(title(60, long)).toBe(" svc  authentication-~  [1 Board] 2 3 4 5 6  ana@local live ");
    expect(title(40, long)).toBe(" authentica~  [1 Board] 2 3 4 5 6  live ");
  });

  test("counts the requests to the person, at every width", () => {
    const { state } = screen(80, 24);
    const request = { to: "ana", ref: "product#k001" } satisfies InboxItem;
    const inbox = { ...state.inbox, requests: [request, request, request] };
    expect(title(160, { inbox })).toContain(" 2 Inbox(3) ");
    expect(title(40, { inbox })).toContain(" 2(3) ");
  });

  test("marks the shown screen, however long the other names are", () => {
    const words = ["x", "product", "authentication-service-of-everybody", "日本語のプロジェクト名"];
    const screens = [
      ["1", "[1 Board]"],
      ["2", "[2 Inbox]"],
      ["4", "[4 Cron]"],
      ["5", "[5 Projects]"],
      ["6", "[6 Fleet]"],
    ] as const;
    for (let columns = 40; columns <= 250; columns += 1)
      for (const word of words)
        for (const [key, tab] of screens) {
          const { state } = screen(columns, 24).keys(key);
          const more: Partial<State> = {
            ...named(word),
            session: { ...state.session, actor: word },
            connection: { ...state.connection, live: "reconnecting" },
          };
          const [line = ""] = lines({ ...state, ...more });
          expect([columns, word, line.includes(tab), cells(line)]).toEqual([
            columns,
            word,
            true,
            columns,
          ]);
        }
  });
});

describe("the footer", () => {
  const footer = (columns: number, keys: readonly string[]): string =>
    lines(screen(columns, 24).keys(...keys).state).at(-1) ?? "";

  test.each([
    ["board", [], ["j/k move", "enter open", "? help"]],
    ["board with marks", ["space"], ["j/k move", "enter open", "esc back", "? help"]],
    ["lanes", ["v", "v"], ["j/k move", "enter open", "? help"]],
    ["open issue", ["enter"], ["esc back", "? help"]],
    ["graph", ["w", "esc", "3"], ["j/k move", "enter open", "esc back", "? help"]],
    ["cron", ["4"], ["j/k move", "esc back", "? help"]],
    ["projects", ["5"], ["j/k move", "enter show", "esc back", "? help"]],
  ])(
    "the footer of the %s shows how to move, open and go back at every width",
    (_name, keys, expected) => {
      for (const columns of WIDTHS) {
        const line = footer(columns, keys);
        for (const word of expected)
          expect([columns, line]).toEqual([columns, expect.stringContaining(word)]);
      }
    },
  );

  test.each([
    [[], "j/k move  enter open"],
    [["enter"], "esc back  j/k move"],
    [["w", "esc", "3"], "j/k move  enter open"],
    [["4"], "j/k move"],
    [["5"], "j/k move  enter show"],
  ])("the footer after %j starts with how to move and to open", (keys, expected) => {
    for (const columns of WIDTHS)
      expect([columns, footer(columns, keys).trim().startsWith(expected)]).toEqual([columns, true]);
  });

  test("has whole words only, and each is in the table of keys", () => {
    const known = KEYS.flatMap((row) => ("word" in row ? [row.word] : []));
    for (const keys of [[], ["enter"], ["2"], ["4"], ["5"], ["6"], ["v", "v"]])
      for (let columns = 40; columns <= 250; columns += 1) {
        const words = footer(columns, keys).trim().split("  ");
        expect([columns, words.filter((word) => !known.includes(word as never))]).toEqual([
          columns,
          [],
        ]);
      }
  });

  test.each([
    ["the filter", ["/"], "esc cancel"],
    ["a form", ["n"], "esc cancel"],
    ["the filter as a form", ["f"], "esc cancel"],
    ["messages", ["M"], "esc back"],
    ["help", ["?"], "esc back"],
    ["commands", [":"], "esc cancel"],
  ])(
    "the footer of %s shows the key that leaves at any width, and no cut items",
    (_what, keys, out) => {
      const most = footer(200, keys).trim().split("   ");
      for (let columns = 40; columns <= 120; columns += 1) {
        const line = footer(columns, keys).trim();
        expect(line).toContain(out);
        const items = line.slice(0, line.indexOf(out)).trim().split("   ").filter(Boolean);
        expect([columns, items.filter((item) => !most.includes(item))]).toEqual([columns, []]);
      }
    },
  );

  test("says what tab does next: a section of the issue, or the next pane", () => {
    const session = screen(120, 24).keys("tab");
    const said = (): readonly string[] =>
      (lines(session.state).at(-1) ?? "")
        .trim()
        .split("  ")
        .filter((word) => word.startsWith("tab"));
    for (const section of SECTIONS) {
      expect(session.state).toMatchObject({ window: { focus: "detail" }, detail: { section } });
      expect(said()).toEqual([section === SECTIONS.at(-1) ? "tab next pane" : "tab section"]);
      session.keys("tab");
    }
    expect(session.state.window.focus).toBe("list");
    const alone = screen(80, 24).keys("enter", "tab", "tab", "tab", "tab");
    expect(alone.state.detail.section).toBe(SECTIONS.at(-1));
    expect(lines(alone.state).at(-1)).toContain("tab section");
    const keys = keymapOf({ "detail.next-section": ["f"] }, SCREENS).keys;
    const own = screen(120, 24).keys("tab", "tab", "tab", "tab", "tab");
    expect(
      lines({ ...own.state, preferences: { ...own.state.preferences, keys } }).at(-1),
    ).toContain("  f next pane  ");
  });

  test("offers to close an open issue, and to reopen a closed one", () => {
    const words = (status: "open" | "closed"): readonly string[] =>
      (
        lines(screen(80, 24, [issue(1, { status })]).keys("s", "s", "s", "s", "s").state).at(-1) ??
        ""
      )
        .trim()
        .split("  ");
    expect(words("open")).toContain("x close");
    expect(words("open")).not.toContain("r reopen");
    expect(words("closed")).toContain("r reopen");
    expect(words("closed")).not.toContain("x close");
  });

  test("shows how to block from 100 columns on", () => {
    expect(
      [footer(80, []), footer(100, []), footer(160, [])].map((line) => line.includes("b blocker")),
    ).toEqual([false, true, true]);
  });

  test("shows the everyday commands at 80 columns", () => {
    expect(footer(80, []).trim()).toBe(
      "j/k move  enter open  space mark  / filter  n new  x close  : commands  ? help",
    );
  });

  test.each([
    [["enter"], "esc back  j/k move  tab section  c comment  x close  e edit  : commands  ? help"],
    [["3"], "j/k move  enter open  left/right fold  R re-root  [ ] depth  esc back  ? help"],
  ])(
    "the footer at 80 columns after %j first shows the main commands of that screen",
    (keys, expected) => {
      expect(footer(80, keys).trim()).toBe(expected);
    },
  );
});

describe("a terminal that is too small", () => {
  const small = (session: Session): string => {
    session.tell({ type: "resize", columns: 39, rows: 9 });
    return (lines(session.state)[0] ?? "").trimEnd();
  };

  test("accepts only keys that leave, so that nothing is typed or done unseen", () => {
    const session = screen(80, 24).keys("n").type("ab");
    const before = session.state.dialog;
    expect(small(session)).toBe("too small: needs 40x10, q quits");
    session.type("x").keys("enter", "esc", "ctrl+s");
    session.tell({ type: "paste", text: "more" });
    session.tell({ type: "burst", text: "xx\n", goesOn: false });
    session.tell({ type: "mouse", act: "click", x: 3, y: 1 });
    expect([session.state.dialog, session.writes]).toEqual([before, []]);
  });

  test.each(["q", "ctrl+c"])(
    "asks on %s before typed text is lost, and keeps the text if the answer is no",
    (key) => {
      const session = screen(80, 24).keys("n").type("ab");
      const before = session.state.dialog;
      small(session);
      expect(small(session.keys(key))).toBe("text or changes lost: quit? y/n");
      expect(session.keys("x").effects).toEqual([]);
      expect(session.keys("n").state.dialog).toEqual(before);
      expect(session.keys(key, "y").effects).toEqual([{ effect: "quit" }]);
    },
  );

  test("quits at once by ctrl+c if nothing would be lost, and by q after a question", () => {
    const session = screen(39, 24).keys("x");
    expect(session.writes).toEqual([]);
    expect(session.keys("ctrl+c").effects).toEqual([{ effect: "quit" }]);
    expect(session.keys("q").effects).toEqual([]);
    expect(small(session)).toBe("quit? y/n");
    expect(session.keys("y").effects).toEqual([{ effect: "quit" }]);
  });
});

test.each([
  [39, 24, "too small: needs 40x10, q quits"],
  [80, 9, "terminal too small (needs 40x10), q quits"],
  [30, 8, "needs 40x10, q quits"],
  [20, 8, "needs 40x10, q quits"],
  [19, 1, "needs 40x10"],
  [11, 1, "needs 40x10"],
  [10, 1, "40x10"],
])("a terminal of %ix%i shows the whole required size", (columns, rows, expected) => {
  const drawn = lines(screen(columns, rows).state);
  expect(drawn).toHaveLength(rows);
  expect(drawn[0]).toBe(expected.padEnd(columns));
});
