import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { browseRow, browseSections } from "../../src/screen/board/browse.ts";
import { paneOf } from "../../src/screen/detail/panes.ts";
import { ASCII } from "../../src/screen/glyphs.ts";
import { Memo } from "../../src/screen/memo.ts";
import { browseHeight } from "../../tui/room.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter, type Role } from "../../tui/style.ts";
import { text } from "./picture.ts";
import { issue, type Session, sample, screen } from "./support.ts";

const wide = (issues = sample()): Session => screen(160, 50, issues);
const onLine = ({ state }: Session) => browseRow(state)?.name;
const view = { name: "Urgent", query: "p<=1" };

/** Moves the cursor of the browse pane to the line with that name. */
function browsing(session: Session, name: string): Session {
  while (paneOf(session.state) !== "browse") session.keys("shift+tab");
  session.keys("g");
  for (let tries = 0; onLine(session) !== name; tries++) {
    expect(tries).toBeLessThan(50);
    session.keys("j");
  }
  return session;
}

describe("the panes of the board", () => {
  test("follow each other with tab, and panes hidden by a resize get no keys", () => {
    const session = wide();
    const order = ["tab", "esc", "shift+tab", "tab", "shift+tab", "shift+tab"].map((key) => {
      session.keys(key);
      return paneOf(session.state);
    });
    expect(order).toEqual(["detail", "list", "browse", "list", "browse", "detail"]);
    session.keys("esc", "shift+tab").tell({ type: "resize", columns: 100, rows: 30 });
    expect(paneOf(session.state)).toBe("list");
    const before = session.cursor;
    expect(session.keys("j").cursor).not.toBe(before);
    expect(screen(80, 24).keys("tab").state.messages.notice?.text).toBe("there is one pane only");
  });

  test("include the sections of the issue, which tab and shift+tab step through", () => {
    const session = screen(160, 50).keys("tab");
    const places = ["tab", "tab", "tab", "tab", "tab", "shift+tab", "shift+tab"].map((key) => {
      const { window, detail } = session.keys(key).state;
      const { focus } = window;
      const { section } = detail;
      return focus === "detail" ? section : focus;
    });
    expect(places).toEqual(["Events", "Links", "Dates", "Children", "browse", "Comments", "list"]);
    const open = screen(80, 24).keys("enter", "shift+tab").state;
    expect([open.detail.open.length, open.detail.section]).toEqual([1, "Children"]);
  });

  test("show by a highlighted header alone which of them gets the keys", () => {
    const headers = (session: Session) => {
      const heading = (role: Role, text: string) => (role === "heading" ? `<${text}>` : text);
      const paint = Object.assign(heading, { glyphs: ASCII, memo: new Memo() });
      const row = frame(session.state, paint)[2] ?? "";
      return [...row.matchAll(/<\s*(\w+)/g)].map(([, name]) => name);
    };
    expect(headers(wide())).toEqual(["ID"]);
    expect(headers(wide().keys("shift+tab"))).toEqual(["BROWSE"]);
  });
});

test("] and [ step through the saved views, which are listed before the counts", () => {
  const session = screen(120, 24);
  expect(text(session.keys("]"))).toContain("no view is saved: w saves the filter as one");
  const views = [
    { name: "Urgent", query: "p<=1" },
    { name: "Bugs", query: "label:bug" },
  ];
  session.state = { ...session.state, board: { ...session.state.board, views } };
  expect(text(session)).toContain(" [Open] Urgent  Bugs   open 6");
  expect(session.keys("]").state.board.query).toBe("p<=1");
  expect(text(session)).toContain(" Open [Urgent] Bugs ");
  expect(session.keys("]", "]").state.board.query).toBe("status:open");
  expect(session.keys("[").state.board.query).toBe("label:bug");
  session.keys("/").fill("").type("daemon").keys("enter");
  expect(session.keys("]").state.board.query).toBe("status:open");
});

describe("the browse pane", () => {
  test("counts what each view, project, label and owner has", () => {
    const counts = browseSections(wide().state).map(({ title, rows }) => {
      return [title, rows.map(({ name, count }) => `${name} ${count}`)];
    });
    expect(counts).toEqual([
      [
        "VIEWS",
        [
          ...["Ready 3", "Mine 0", "Today 0", "Upcoming 0", "Deadlines 0"],
          ...["All open 6", "Blocked 1", "Waiting 2", "Logbook 1"],
        ],
      ],
      ["PROJECTS", ["all projects 8", "product 6", "infra 2"]],
      ["LABELS", ["api 1", "bug 1", "daemon 1", "federation 1"]],
      ["OWNERS", ["(none) 2", "claude 2", "bo 1", "codex 1"]],
    ]);
  });

  test("shows a view, toggles labels and sets the owner", () => {
    const session = browsing(wide(), "Blocked").keys("enter");
    expect(session.state.board.query).toBe("status:blocked");
    browsing(session, "All open").keys("enter");
    browsing(session, "bug").keys("enter");
    expect(session.state.board.query).toBe("status:open label:bug");
    expect(browseRow(session.state)).toMatchObject({ name: "bug", isOn: true });
    browsing(session, "(none)").keys("enter");
    expect(session.state.board.query).toBe("status:open label:bug owner:none");
    browsing(session, "bo").keys("enter");
    expect(session.state.board.query).toBe("status:open label:bug owner:bo");
    session.keys("enter");
    browsing(session, "bug").keys("space");
    expect(session.state.board.query).toBe("status:open");
    expect(paneOf(session.state)).toBe("browse");
  });

  test("switches to another project and to all of them", () => {
    const session = browsing(wide(), "infra").keys("enter");
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-issues", project_id: 2 }),
    );
    browsing(session, "all projects").keys("enter");
    expect(session.state.scope.project).toBeUndefined();
    expect(session.effects).toContainEqual(
      expect.objectContaining({ effect: "load-issues", project_id: undefined }),
    );
  });

  test("keeps the cursor on its line while counts and order change", () => {
    const session = browsing(wide(), "codex");
    const more = [11, 12, 13].map((number) => issue(number, { owner: "zoe" }));
    session.changed(more);
    expect(onLine(session)).toBe("codex");
  });

  test.each([
    [16, 3],
    [50, 40],
  ])(
    "the browse pane in %i rows gives each list a fair share, and says how many more entries it has",
    (rows) => {
      const many = Array.from({ length: 60 }, (_none, at) =>
        issue(at + 1, { labels: [`label-${at}`], owner: `owner-${at % 20}` }),
      );
      const session = screen(160, rows, many);
      const [, , labels, owners] = browseSections(session.state);
      for (const section of [labels, owners])
        expect(section?.rows.length).toBeGreaterThanOrEqual(2);
      expect((labels?.rows.length ?? 0) + (labels?.more ?? 0)).toBe(60);
      expect((owners?.rows.length ?? 0) + (owners?.more ?? 0)).toBe(20);
      session.keys("shift+tab", "G");
      const shown = frame(session.state, painter("none")).join("\n");
      expect(shown).toContain(onLine(session) ?? "nothing");
      expect(browseHeight(session.state)).toBe(rows - 5);
    },
  );
});

describe("a saved view", () => {
  test("is named, stored, listed with its count, and shown", () => {
    const session = wide().keys("/").type("p<=1").keys("enter", "w");
    expect(session.state.dialog).toMatchObject({ label: "save status:open p<=1 as" });
    session.type("Urgent").keys("enter");
    expect(session.effects).toEqual([
      { effect: "save-view", name: "Urgent", query: "status:open p<=1" },
    ]);
    session.tell({ type: "views", views: [view], name: "Urgent", isKept: true });
    expect(session.state.messages.notice?.text).toBe("saved the view Urgent   W shows it again");
    session.keys("c");
    browsing(session, "Urgent");
    expect(browseRow(session.state)).toMatchObject({ count: 3, isOn: false });
    session.keys("enter");
    expect(session.state.board.query).toBe("p<=1");
    expect(browseRow(session.state)?.isOn).toBe(true);
    expect(session.keys("esc", "w").state.dialog).toMatchObject({ field: { text: "Urgent" } });
  });

  test("is replaced if it is saved under its name in any letter case, and cannot take a built-in name", () => {
    const session = wide();
    session.tell({ type: "views", views: [view], name: "Urgent", isKept: true });
    session.keys("w").fill("urgent").keys("enter");
    expect(session.effects).toMatchObject([{ effect: "save-view", name: "Urgent" }]);
    session.keys("w").fill("ready").keys("enter");
    expect(session.effects).toEqual([]);
    expect(session.state.messages.notice).toMatchObject({
      tone: "error",
      text: "the view Ready is always there",
    });
  });

  describe("found by its name", () => {
    const kept = (): Session => {
      const session = screen(80, 24);
      const views = [view, { name: "Zero", query: "p:0 -label:wip" }];
      session.tell({ type: "views", views, name: "Zero", isKept: true });
      return session;
    };
    const shown = ({ state }: Session): string => {
      return stripVTControlCharacters(frame(state, painter("none"))[1] ?? "");
    };

    test("is opened with W from any screen, where saved views are listed first, and is named above the rows", () => {
      const session = kept().keys("5", "W");
      expect(session.state.dialog).toMatchObject({ label: "view", choose: 0 });
      expect(frame(session.state, painter("none")).join("\n")).toContain("> Urgent  p<=1");
      session.keys("enter");
      expect(session.state).toMatchObject({ screen: "board", board: { query: "p<=1" } });
      expect(shown(session)).toContain("/ Urgent: p<=1 ");
      session.keys("W", "down", "enter");
      expect(shown(session)).toContain("/ Zero: p:0 -label:wip ");
      session.keys("c");
      expect(shown(session)).toContain("/ status:open ");
    });

    test.each([
      ["urg", "p<=1"],
      ["zero", "p:0 -label:wip"],
      ["clos", "status:closed"],
      ["wait", "status:waiting"],
    ])("is found by a part of the name that no other view has: %s", (typed, query) => {
      expect(kept().keys("W").type(typed).keys("enter").state.board.query).toBe(query);
    });

    test("is not shown if the typed name is unknown or ambiguous, and a message says so", () => {
      for (const typed of ["nowhere", "e"]) {
        const session = kept().keys("W").type(typed).keys("enter");
        expect(session.state.messages.notice?.text).toBe(`no view is called ${typed}`);
        expect(session.state.board.query).toBe("status:open");
      }
    });
  });

  test("is removed with delete, and a built-in view is not", () => {
    const session = wide();
    session.tell({ type: "views", views: [view], name: "Urgent", isKept: true });
    browsing(session, "Urgent").keys("delete");
    expect(session.effects).toEqual([{ effect: "save-view", name: "Urgent", query: undefined }]);
    session.tell({ type: "views", views: [], name: "Urgent", isKept: false });
    browsing(session, "Ready").keys("delete");
    expect(session.state.messages.notice?.text).toBe("the view Ready is always there");
    browsing(session, "bug").keys("delete");
    expect(session.state.messages.notice?.text).toBe("only a saved view can be removed");
  });
});
