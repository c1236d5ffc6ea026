import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { selectionOf } from "../../src/screen/board/selection.ts";
import { draftsOf } from "../../src/screen/forms/drafts.ts";
import { unsavedWork } from "../../src/screen/forms/unsaved-work.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { values } from "../tui/on-form.ts";
import { text } from "../tui/picture.ts";
import { DAEMONS, issue, Session, START, screen } from "../tui/support.ts";

const lines = ({ state }: Session) =>
  frame(state, painter("none")).map((row) => stripVTControlCharacters(row).trimEnd());

describe("the daemons in config.toml", () => {
  test("are listed with endpoint and authentication, and the current one is marked", () => {
    const session = screen(80, 24).keys("D", "j", "j");
    expect(lines(session).slice(-7)).toEqual([
      expect.stringMatching(/^-- daemons -+$/),
      expect.stringMatching(/^ {2}DAEMON +ENDPOINT +AUTH +STATE$/),
      expect.stringMatching(/^ {2}local +this machine +no token current$/),
      expect.stringMatching(/^ {2}team +https:\/\/tracker\.example +token$/),
      expect.stringMatching(/^> lab +http:\/\/lab\.example +no token$/),
      expect.stringMatching(/^ another one: .* in config\.toml$/),
      expect.stringMatching(/plain http is allowed to it$/),
    ]);
    expect(session.keys("esc").state.dialog).toBeUndefined();
  });

  test.each([
    [{ type: "auth", quickClose: false, readOnly: "only reads" }, "current, read-only"],
    [{ type: "live", live: "refused", why: "revoked" }, "current, refused"],
  ] as const)(
    "are listed with what this caller may not do on the current one: %j",
    (message, how) => {
      const session = screen(80, 24);
      session.tell(message);
      expect(lines(session.keys("D"))).toContainEqual(
        expect.stringMatching(new RegExp(`^> local +this machine +no token ${how}$`)),
      );
    },
  );

  test("are contacted when they are selected, and the screen stays as it is until the daemon has answered", () => {
    const session = screen(80, 24).keys("space", "D", "down", "enter");
    expect(session.effects).toContainEqual({ effect: "connect", name: "team" });
    expect(session.state.issues.size).toBeGreaterThan(0);
    session.tell({ type: "failed", text: "team: server not responding" });
    expect(session.state).toMatchObject({
      connection: { daemon: "local" },
      messages: { notice: { tone: "error" } },
    });
    expect(session.state.marks.size).toBe(1);
  });

  test("share no rows, marks, open issues or undo steps: a switch to another daemon discards them", () => {
    const left = screen(80, 24).keys("space", "e", "esc", "v");
    left.keys("2", "/").type("codex").keys("enter", "1");
    left.tell({ type: "connected", daemon: "team", actor: "ana" });
    expect(left.state).toMatchObject({
      connection: { daemon: "team", daemons: DAEMONS },
      inbox: { own: "ana", address: "ana" },
      session: { actor: "ana" },
      screen: "projects",
      scope: { project: undefined, projects: [] },
      detail: { open: [] },
      writes: { sent: [], undo: [] },
      window: { columns: 80 },
      messages: { notice: { text: "connected to team" } },
    });
    expect(left.state.issues.size).toBe(0);
    expect(left.state.marks.size).toBe(0);
  });

  test.each([
    ["ana", "bea"],
    ["team", "team"],
  ])(
    "may know the person by different names: the inbox of %s becomes the inbox of %s",
    (own, then) => {
      const start = { ...START, columns: 80, rows: 24, daemons: DAEMONS, inboxOf: own };
      const session = new Session(initialState(start));
      session.tell({ type: "connected", daemon: "team", actor: "bea" });
      expect(session.state).toMatchObject({
        session: { actor: "bea" },
        inbox: { own: then, address: then },
      });
    },
  );

  test("share the saved views and the time after which a holder counts as silent", () => {
    const views = [{ name: "mine", query: "owner:ana" }];
    const start = { ...START, columns: 80, rows: 24, views, silentAfterMs: 1000 };
    const session = new Session(initialState(start));
    session.tell({ type: "connected", daemon: "team", actor: "bea" });
    expect(session.state).toMatchObject({ board: { views }, fleet: { silentAfterMs: 1000 } });
  });

  test("do not share the draft of a form, which is offered again on the daemon where it was typed", () => {
    const session = screen(80, 24).keys("n").type("Half");
    session.tell({ type: "connected", daemon: "team", actor: "ana" });
    expect(session.state.dialog).toBeUndefined();
    expect(session.state.messages.notice?.text).toBe(
      "connected to team   on local what was typed waits: D goes back",
    );
    expect(session.keys("q").state.dialog).toMatchObject({ dialog: "quit" });
    expect(unsavedWork(session.state)).toEqual(["1 draft for another daemon"]);
    expect(draftsOf(session.state)).toMatchObject([{ id: "test-1", daemon: "local" }]);
    session.keys("n").tell({ type: "connected", daemon: "local", actor: "ana" });
    session.keys("enter");
    expect(values(session)).toMatchObject({ title: "Half" });
    expect(session.state.writes.drafts).toEqual([]);
  });

  test("are switched with a message about changes that the previous daemon has not answered", () => {
    const session = screen(80, 24).keys("D", "j", "enter", "!", "0", "e", "!", "ctrl+s");
    session.tell({ type: "connected", daemon: "team", actor: "ana" });
    expect(session.state.messages.notice?.text).toBe(
      "connected to team   on local what was typed waits, 2 changes had no answer yet: D goes back",
    );
  });

  test("are not mixed: an answer of the previous daemon is ignored after a switch", () => {
    const session = screen(80, 24);
    session.tell({ type: "connected", daemon: "team", actor: "ana" });
    const stale = { type: "issues", part: "all", serial: 0, gone: [], truncated: false } as const;
    session.tell({ ...stale, issues: [issue(1)] });
    expect(session.state.issues.size).toBe(0);
  });

  test.each([
    ["the one that is shown", ["D", "enter"], "local is the daemon that is shown"],
    ["while a change is on its way", ["x", "D", "j", "enter"], "changes are still on their way"],
  ])("cannot be switched to in this case: %s", (_what, keys, text) => {
    const session = screen(80, 24).keys(...keys);
    expect(session.state.messages.notice?.text).toContain(text);
    expect(session.effects.map(({ effect }) => effect)).not.toContain("connect");
  });

  test("can be named in the palette", () => {
    const session = screen(80, 24).keys(":").type("daemon lab").keys("enter");
    expect(session.effects).toContainEqual({ effect: "connect", name: "lab" });
    const wrong = screen(80, 24).keys(":").type("daemon nowhere").keys("enter");
    expect(wrong.state.messages.notice?.text).toBe("no daemon is called nowhere");
  });

  test("are listed with the place where another one can be added", () => {
    const session = screen(80, 24);
    const configFile = "/home/ana/.svc/config.toml";
    session.state = {
      ...session.state,
      connection: { ...session.state.connection, daemons: DAEMONS.slice(0, 1), configFile },
    };
    const shown = text(session.keys("D"));
    expect(shown).toMatch(/^> local +this machine +no token +current$/m);
    expect(shown).toContain(` another one: a [[daemon]] with name and url in ${configFile}\n`);
    session.state = {
      ...session.state,
      connection: { ...session.state.connection, configFile: `/${"long/".repeat(20)}config.toml` },
    };
    expect(text(session).replaceAll(/\n ?/g, "")).toContain("long/config.toml");
  });
});

describe("the issues printed at the end", () => {
  test("are the marked ones, in the order of the board, even if the filter hides some", () => {
    const session = screen(80, 24).keys("v", "j", "j", "space", "g", "space");
    expect(selectionOf(session.state)).toEqual(["product#k007", "product#k004"]);
    session.keys("/").type("daemon").keys("enter");
    expect(selectionOf(session.state)).toEqual(["product#k004", "product#k007"]);
  });

  test("are the issue under the cursor if nothing is marked, and no issue if the board is empty", () => {
    expect(selectionOf(screen(80, 24).keys("v", "j").state)).toEqual(["product#k005"]);
    expect(selectionOf(screen(80, 24, []).state)).toEqual([]);
  });
});
