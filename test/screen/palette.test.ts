import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { relationsOf } from "../../src/screen/issues/relations.ts";
import { allKeys } from "../../src/screen/keys.ts";
import { fuzzyScore } from "../../src/screen/palette/fuzzy.ts";
import { menuRows } from "../../src/screen/palette/menu.ts";
import { paletteRows } from "../../src/screen/palette/palette.ts";
import { entriesOf } from "../../src/screen/palette/palette-entries.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const KEYS = allKeys(SCREENS);

const names = ({ state }: Session, text: string) =>
  paletteRows(state, text).map(({ entry, choice }) => {
    return choice === undefined ? entry.name : `${entry.name} ${choice}`;
  });
const typed = ({ state: { dialog } }: Session) =>
  dialog?.dialog === "menu" ? dialog.field.text : undefined;
const palette = (text: string, session = screen(80, 24)) => session.keys(":").type(text);

describe("a fuzzy match", () => {
  test.each([
    ["clo", "close", "clear-filter"],
    ["la", "label add", "lease steal"],
    ["nc", "next-child", "cancel"],
    ["fil", "filter", "filter-form"],
  ])("a fuzzy match for %j prefers %j to %j", (pattern, better, worse) => {
    const [high, low] = [better, worse].map((text) => fuzzyScore(pattern, text) ?? -Infinity);
    expect(high).toBeGreaterThan(low ?? 0);
  });

  test("exists exactly if the letters occur in the text in that order", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "-") });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        let at = 0;
        const wanted = [...pattern.replaceAll(" ", "")];
        for (const letter of text) if (letter === wanted[at]) at += 1;
        // The search prefers a letter at the beginning of a later word, so it may miss a match. But whatever it finds
        // is a match.
        if (fuzzyScore(pattern, text) !== undefined) expect(at).toBe(wanted.length);
        if (at < wanted.length) expect(fuzzyScore(pattern, text)).toBeUndefined();
        expect(fuzzyScore(text.replaceAll(" ", ""), text)).toBeDefined();
      }),
    );
  });
});

describe("the choice of all projects", () => {
  test("is found in the palette by its name, and shown", () => {
    for (const typed of ["all", "all proj"]) {
      const session = palette(typed);
      expect(names(session, typed)[0]).toBe("all projects");
      session.keys("enter");
      expect(session.state.scope.project).toBeUndefined();
      expect(session.effects).toMatchObject([{ effect: "load-issues", project_id: undefined }]);
    }
  });

  test("is found in help", () => {
    const [first] = menuRows(screen(80, 24).state, "all proj");
    expect(first).toMatchObject({ row: { command: "projects", keys: ["5", "P"] } });
  });
});

describe("the palette", () => {
  test("lists every command of the table once, under its name on the command line", () => {
    const { state } = screen(80, 24);
    const entries = entriesOf(state);
    expect(new Set(entries.map(({ name }) => name)).size).toBeGreaterThanOrEqual(
      new Set(KEYS.map(({ command }) => command)).size - 1,
    );
    const all = entries.map(({ name }) => name);
    for (const name of [
      "create",
      "label add",
      "label rm",
      "assign",
      "close",
      "schedule",
      "project",
    ])
      expect(all).toContain(name);
  });

  test("shows names, keys and descriptions, and why a command is disabled", () => {
    const session = palette("clea");
    const lines = frame(session.state, painter("none")).map((row) => stripVTControlCharacters(row));
    expect(lines.findLast((row) => row.startsWith(">"))).toMatch(
      /^> clear-filter +c +disabled: no filter is set/,
    );
    expect(session.keys("enter").state.messages.notice?.text).toBe("no filter is set");
    expect(session.state.dialog).toBeUndefined();
  });

  test.each([
    ["assign bo", { act: "assign", owner: "bo" }],
    ["label add ui", { act: "label", label: "ui" }],
    ["priority 1", { act: "priority", priority: 1 }],
    ["priority -", { act: "priority", priority: undefined }],
    [
      "blocked-by k004",
      { act: "link", change: { kind: "blocked_by", does: "add", refs: ["k004"] } },
    ],
    ["move infra", { act: "move", to: { name: "infra" } }],
    ["unassign", undefined],
  ])("runs %j at once", (text, write) => {
    const session = palette(text).keys("enter");
    expect(session.state.dialog).toBeUndefined();
    expect(session.writes).toMatchObject(write === undefined ? [] : [write]);
  });

  test("acts on all marked issues", () => {
    const session = palette("assign bo", screen(80, 24).keys("space", "space")).keys("enter");
    expect(session.writes).toHaveLength(2);
  });

  test("opens an issue by its id in another tracker, which the filter finds too", () => {
    const issues = [
      issue(1, { metadata: { "beads.id": "bd-077e" } }),
      issue(2, { metadata: { "github.number": 12 } }),
      issue(3, { metadata: { "beads.id": "twice" } }),
      issue(4, { metadata: { "linear.id": "twice" } }),
      issue(5, { metadata: { "beads.id": "k001" } }),
    ];
    const at = () => screen(80, 24, issues);
    for (const [name, number] of [
      ["bd-077e", 1],
      ["GH-12", 2],
      ["#12", 2],
      ["k001", 1],
    ] as const)
      expect([name, palette(`open ${name}`, at()).keys("enter").state.detail.open]).toEqual([
        name,
        [issue(number).uid],
      ]);
    expect(palette("open twice", at()).keys("enter").state.messages.notice?.text).toBe(
      "twice was the id of product#k003 and product#k004",
    );
    const found = [...relationsOf(at().state).found("BD-077")].map(({ uid }: Issue) => uid);
    expect(found).toEqual([issue(1).uid]);
  });

  test("opens a project, an issue, a view, an order, and filters", () => {
    const session = palette("project infra").keys("enter");
    expect(session.state.scope.project?.name).toBe("infra");
    palette("project all projects", session).keys("enter");
    expect(session.state.scope.project).toBeUndefined();
    palette("project nowhere", session).keys("enter");
    expect(session.state.messages.notice?.text).toBe("no project is called nowhere");
    expect(palette("open k004").keys("enter").state.detail.open).toEqual([issue(4).uid]);
    expect(palette("open product#k004").keys("enter").state.detail.open).toEqual([issue(4).uid]);
    expect(palette("open zzzz").keys("enter").state.messages.notice?.text).toBe(
      "no issue here is called zzzz",
    );
    expect(palette("view blocked").keys("enter").state.board.query).toBe("status:blocked");
    const ordered = palette("order priority", screen(80, 24).keys("G")).keys("enter");
    expect(ordered.state.board.order).toBe("priority");
    expect(ordered.cursor).toBe(screen(80, 24).keys("o", "o").cursor);
    expect(palette("filter status:ready owner:bo").keys("enter").state.board.query).toBe(
      "status:ready owner:bo",
    );
    expect(palette("search crash").keys("enter").effects).toMatchObject([
      { effect: "search", words: "crash" },
    ]);
  });

  test("completes names, and their arguments, with tab", () => {
    const session = palette("labadd").keys("tab");
    expect(typed(session)).toBe("label add ");
    expect(names(session, "label add ")).toContain("label add bug");
    session.type("da").keys("tab");
    expect(typed(session)).toBe("label add daemon");
    session.keys("enter");
    expect(session.writes).toMatchObject([{ act: "label", label: "daemon" }]);
    expect(typed(palette("filter status:ready ow").keys("tab"))).toBe(
      "filter status:ready owner:none",
    );
    expect(typed(palette("view bl").keys("tab"))).toBe("view Blocked");
    expect(typed(palette("proj").keys("tab"))).toBe("project ");
    expect(typed(palette("open fede").keys("tab"))).toBe("open product#k001");
  });

  test("takes the choice that the arrows selected", () => {
    const session = palette("assign c").keys("down", "down", "up", "down");
    const [, first, second] = names(session, "assign c");
    expect([first, second]).toEqual(["assign claude", "assign codex"]);
    expect(session.keys("enter").writes).toMatchObject([{ act: "assign", owner: "codex" }]);
  });

  test("acts on the issue under the cursor, and keeps what changed on the screen while it was open", () => {
    const session = screen(80, 24).keys("2");
    const requests = [1, 4].map((number) => {
      const { uid, qualified_id: ref } = issue(number);
      return { to: "ana", ref, issue_uid: uid, project_id: 1 };
    });
    session.tell({ type: "inbox", address: "ana", all: false, inbox: { requests } });
    palette("assign b", session).keys("esc", "j");
    palette("assign b", session).tell({ type: "live", live: "polling" });
    session.keys("enter");
    expect(session.writes).toMatchObject([{ act: "assign", at: { uid: issue(4).uid } }]);
    expect(session.state.connection.live).toBe("polling");
  });

  test("asks for missing arguments", () => {
    expect(palette("assign").keys("enter").state.dialog).toMatchObject({ kind: "owner" });
    expect(palette("label add ").keys("enter").state.dialog).toMatchObject({ kind: "add-label" });
    expect(typed(palette("order").keys("enter"))).toBe("order ");
    expect(palette("notify bo").keys("enter").state.dialog).toMatchObject({ kind: "message" });
  });

  test("says that no issue is selected if a command needs one", () => {
    const session = palette("assign bo", screen(80, 24, [])).keys("enter");
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe("no issue is selected");
  });

  test("finds commands by their descriptions too, listed after those whose name matches", () => {
    const found = names(screen(80, 24), "owner");
    expect(found).toContain("assign");
    expect(names(screen(80, 24), "quit")[0]).toBe("quit");
    expect(names(screen(80, 24), "qqqq")).toEqual([]);
  });

  test.each([
    ["park", "schedule"],
    ["defer", "schedule"],
    ["claim", "assign"],
    ["critical path", "graph-chain"],
    ["rename", "edit"],
    ["tag", "label add"],
    ["reparent", "parent"],
  ])("finds a command by a common synonym, and so does help: %s finds %s", (text, name) => {
    const session = screen(80, 24);
    expect(names(session, text)).toContain(name);
    expect(menuRows(session.state, text)).not.toEqual([]);
  });

  test("says that no command matches, and which key lists all commands", () => {
    const lines = frame(palette("qqqq").state, painter("none")).map(stripVTControlCharacters);
    expect(lines.at(-2)?.trim()).toBe("no command fits: ? lists them all");
  });
});

describe("the help screen", () => {
  test.each([
    [80, 1],
    [119, 1],
    [160, 2],
    [220, 3],
  ])("the help on a terminal %i cells wide has %i columns", (columns, count) => {
    const { state } = screen(columns, 50).keys("?");
    const lines = frame(state, painter("none")).map((row) => stripVTControlCharacters(row));
    const top = lines.findIndex((row) => row.startsWith("find:")) + 1;
    const room = lines.length - 1 - top;
    const labels = menuRows(state, "").map((one) =>
      "sign" in one ? one.sign.label : one.row.label,
    );
    const heads = [0, 1, 2].filter((side) => lines[top]?.includes(labels[side * room] ?? "?"));
    expect(heads).toHaveLength(count);
  });

  test("runs the command that was found", () => {
    const session = screen(160, 50).keys("?").type("blockers").keys("enter");
    expect(session.state.board.order).toBe("created");
  });
});

describe("the restore command", () => {
  test("offers issues that were deleted here, and accepts any other issue by its project and id", () => {
    const session = screen(80, 24, [issue(1, { title: "Crash" })]).keys("delete", "y");
    session.tell({ type: "written", id: session.state.writes.sent[0]?.id ?? 0, issue: undefined });
    expect(names(session, "restore ")).toContain("restore product#k001  Crash");
    palette("restore k001", session).keys("enter");
    const at = { project_id: 1, ref: "k001", name: "product#k001" };
    expect(session.writes).toMatchObject([{ act: "restore", at }]);
    palette("restore infra#zz9", session).keys("enter");
    expect(session.writes).toMatchObject([{ act: "restore", at: { project_id: 2, ref: "zz9" } }]);
  });

  test("asks which issue is meant if the project is unknown", () => {
    const session = palette("restore nowhere#k001").keys("enter");
    expect(session.state.messages.notice?.text).toMatch(/^which issue is it\?/);
    expect(session.writes).toEqual([]);
  });
});

test("a command of another screen says where it is available", () => {
  const entry = entriesOf(screen(80, 24).state).find(({ name }) => name === "graph-done");
  expect(entry?.why).toBe("only in the graph");
});

test("the entries are built once while the palette is open, and again when the state outside it changes", () => {
  const session = screen(80, 24).keys(":");
  const entries = entriesOf(session.state);
  expect(entriesOf(session.type("clo").keys("down").state)).toBe(entries);
  session.tell({ type: "live", live: "reconnecting" });
  expect(entriesOf(session.state)).not.toBe(entries);
});
