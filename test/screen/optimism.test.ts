import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { showIssue } from "../../src/contract/issues.ts";
import type { Output } from "../../src/contract/route.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { picture } from "../tui/picture.ts";
import { issue, type Session, sample, screen } from "../tui/support.ts";

/** Sends the daemon's answer to the last write, or to an earlier one. */
function answer(session: Session, changed?: ReturnType<typeof issue>, back = 0): void {
  session.tell({ type: "written", id: session.state.writes.sent[back]?.id ?? 0, issue: changed });
}

function refuse(session: Session, code: string, text: string, back = 0): void {
  session.tell({ type: "refused", id: session.state.writes.sent[back]?.id ?? 0, code, text });
}

/** Sends issues as they arrive after an event. */
function arrive(session: Session, ...issues: ReturnType<typeof issue>[]): void {
  session.changed(issues);
}

const row = (session: Session, id: string): string =>
  frame(session.state, painter("none"))
    .map((line) => stripVTControlCharacters(line))
    .find((line) => line.includes(id)) ?? "";

const one = (more: Parameters<typeof issue>[1] = {}) => screen(80, 24, [issue(1, more)]);
const shown = ({ state }: Session) => state.issues.get(issue(1).uid);
const later = (more: Parameters<typeof issue>[1] = {}) =>
  issue(1, { updated_at: "2026-11-21T09:59:00.000Z", ...more });

describe("a row with a change in flight", () => {
  test.each([
    [["a", "b", "o", "enter"], { owner: "bo" }],
    [["A"], { owner: undefined }],
    [["!", "0"], { priority: 0 }],
    [["+", "u", "i", "enter"], { labels: ["bug", "ui"] }],
    [["-", "b", "u", "g", "enter"], { labels: [] }],
    [["x"], { status: "closed" }],
    [["e", "!", "ctrl+s"], { title: "Issue number 1!" }],
    [
      ["t", "tab", "2", "0", "2", "7", "-", "0", "1", "-", "0", "1", "ctrl+s"],
      {
        metadata: { deadline_on: "2027-01-01" },
      },
    ],
  ])(
    "shows the effect of the keys %j at once, with a sign, and is as before when the daemon refuses the change",
    (keys, after) => {
      const before = { owner: "ana", labels: ["bug"], priority: 2 };
      const session = one(before).keys(...keys);
      expect(shown(session)).toMatchObject(after);
      expect(row(session, "k001")).toMatch(/^>%/);
      refuse(session, "validation", "no");
      session.keys("esc", "esc", "esc");
      expect(shown(session)).toEqual(issue(1, before));
    },
  );

  test("shows the daemon's result once it arrives", () => {
    const session = one().keys("+", "u", "i", "enter");
    answer(session, later({ labels: ["ui", "x"] }));
    expect(shown(session)?.labels).toEqual(["ui", "x"]);
    expect(row(session, "k001")).toMatch(/^> /);
  });

  test("a row that no longer matches the filter stays until the daemon has answered", () => {
    const session = one().keys("x");
    expect(row(session, "k001")).toContain(" x ");
    answer(session, later({ status: "closed", revision: 2 }));
    expect(session.cursor).toBeUndefined();
  });

  test("is not reverted by an answer from before the daemon received the change", () => {
    const session = one({ priority: 3 }).keys("!", "0");
    arrive(session, issue(1, { priority: 3, title: "Renamed elsewhere" }));
    expect(shown(session)).toMatchObject({ priority: 0, title: "Renamed elsewhere" });
    answer(session, later({ priority: 0, title: "Renamed elsewhere" }));
    arrive(session, issue(1, { priority: 3 }));
    expect(shown(session)).toMatchObject({ priority: 0, title: "Renamed elsewhere" });
  });

  test("shows what others changed meanwhile when its own change is refused", () => {
    const session = one({ priority: 3 }).keys("!", "0");
    arrive(session, later({ priority: 3, owner: "bo" }));
    refuse(session, "conflict", "no");
    expect(shown(session)).toMatchObject({ priority: 3, owner: "bo" });
  });

  test("shows two changes in flight, and one of them when the other is refused", () => {
    const session = one({ priority: 3 }).keys("!", "0", "+", "u", "i", "enter");
    expect(shown(session)).toMatchObject({ priority: 0, labels: ["ui"] });
    refuse(session, "conflict", "no", 1);
    expect(shown(session)).toMatchObject({ priority: 3, labels: ["ui"] });
    expect(row(session, "k001")).toMatch(/^>%/);
  });

  test("keeps a change in flight when everything is loaded again", () => {
    const session = one({ priority: 3 }).keys("!", "0", "ctrl+r");
    const { serial } = session.state.loading;
    const issues = [issue(1, { priority: 3, owner: "bo" })];
    session.tell({ type: "issues", part: "all", serial, issues, gone: [], truncated: false });
    expect(shown(session)).toMatchObject({ priority: 0, owner: "bo" });
    refuse(session, "conflict", "no");
    expect(shown(session)).toMatchObject({ priority: 3, owner: "bo" });
  });

  test.each(["taken", "refused"])(
    "does not appear on the board of another project when its change is %s",
    (how) => {
      const session = one({ priority: 3 }).keys("!", "0");
      session.tell({ type: "scope", scope: { project: { id: 2, name: "infra" } } });
      const { serial } = session.state.loading;
      const read = { type: "issues", part: "all", gone: [], truncated: false } as const;
      session.tell({ ...read, serial, issues: [] });
      if (how === "taken") answer(session, later({ priority: 0 }));
      else refuse(session, "conflict", "no");
      expect([...session.state.issues.keys()]).toEqual([]);
    },
  );

  test.each([
    ["all projects are shown from now on", [undefined]],
    [
      "its project is come back to",
      [
        { id: 2, name: "infra" },
        { id: 1, name: "product" },
      ],
    ],
  ])("continues to show its change if %s", (_where, projects) => {
    const session = one({ priority: 3 }).keys("!", "0");
    for (const project of projects) session.tell({ type: "scope", scope: { project } });
    const { serial } = session.state.loading;
    const read = { type: "issues", part: "all", gone: [], truncated: false } as const;
    session.tell({ ...read, serial, issues: [issue(1, { priority: 3 })] });
    expect(shown(session)).toMatchObject({ priority: 0 });
    refuse(session, "conflict", "no");
    expect(shown(session)).toMatchObject({ priority: 3 });
  });

  test("a row that is deleted elsewhere disappears, whatever the answer to its change is", () => {
    const session = one().keys("!", "0");
    const { uid } = issue(1);
    session.changed([], [uid]);
    refuse(session, "issue_not_found", "no such issue");
    expect(session.state.issues.size).toBe(0);
  });
});

describe("a refused change", () => {
  test("marks its row and is reported again when the cursor returns to the row, until the person dismisses it", () => {
    const session = screen(80, 24).keys("x");
    const id = session.cursor ?? "";
    refuse(session, "parent_has_open_children", "it has open children");
    expect(row(session, id)).toMatch(/^>!/);
    session.keys("j");
    session.state = {
      ...session.state,
      messages: { ...session.state.messages, notice: undefined },
    };
    expect(row(session, "open children")).toBe("");
    session.keys("k");
    expect(row(session, "open children")).toContain("! it has open children   e tries again");
    session.keys("esc");
    expect(row(session, id)).toMatch(/^> /);
  });

  test.each([
    ["a label", ["+", "u", "i", "enter"], { dialog: "prompt", field: { text: "ui" } }],
    ["an edit", ["e", "!", "ctrl+s", "esc"], { dialog: "form", error: "no", saving: false }],
  ])("opens again for editing with e: %s", (_name, keys, dialog) => {
    const session = one().keys(...keys);
    refuse(session, "conflict", "no");
    session.keys("e");
    expect(session.state.dialog).toMatchObject(dialog);
  });

  test("a refused change without typed text is sent again with e, from the list of messages too", () => {
    const session = one({ owner: "bo" }).keys("A");
    refuse(session, "conflict", "no");
    expect(session.keys("M", "e").writes).toMatchObject([{ act: "unassign" }]);
    refuse(session, "conflict", "no");
    expect(session.keys("e").writes).toMatchObject([{ act: "unassign" }]);
  });

  test("a change that was not sent for lack of a connection can be sent when the daemon is back", () => {
    const session = one();
    session.tell({ type: "live", live: "reconnecting" });
    session.keys("+").type("ui").keys("enter");
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toContain("nothing was sent");
    session.tell({ type: "live", live: "live" });
    expect(session.keys("enter").writes).toMatchObject([{ act: "label", label: "ui" }]);
  });

  test("a refusal by a read-only daemon disables every command that writes, and says why", () => {
    const session = one({ owner: "bo" }).keys("A");
    session.tell({
      type: "refused",
      id: session.state.writes.sent[0]?.id ?? 0,
      code: "forbidden",
      text: "this daemon is read-only",
      forbidden: true,
    });
    session.keys("esc");
    for (const key of [
      "n",
      "N",
      "x",
      "X",
      "r",
      "e",
      "+",
      "-",
      "a",
      "A",
      "!",
      "p",
      "b",
      "l",
      "t",
      "m",
      "i",
      "delete",
    ]) {
      session.keys(key);
      expect([key, session.state.dialog, session.writes]).toEqual([key, undefined, []]);
      expect(session.state.messages.notice?.text).toBe("this daemon is read-only");
    }
    expect(session.keys("y").effects).toContainEqual({ effect: "copy", text: "product#k001" });
  });

  test.each<readonly [string, (session: Session) => void, boolean]>([
    ["a new connection", (session) => session.tell({ type: "live", live: "live" }), true],
    ["a log that can be read", (session) => session.tell({ type: "live", live: "polling" }), true],
    ["a lost connection", (session) => session.tell({ type: "live", live: "reconnecting" }), false],
    ["reading everything again", (session) => session.tell({ type: "reload" }), true],
    ["what happens elsewhere", (session) => session.tell({ type: "events", events: [] }), false],
    ["a change that it takes", answered, true],
  ])(
    "after a refusal by a read-only daemon, %s enables the commands again or leaves them disabled",
    (_name, happens, isOver) => {
      const session = one({ owner: "bo" }).keys("A", "x");
      const [, first] = session.state.writes.sent;
      const text = "this daemon is read-only";
      const refusal = { type: "refused", code: "forbidden", text, forbidden: true } as const;
      session.tell({ ...refusal, id: first?.id ?? 0 });
      happens(session);
      session.keys("esc", "esc", "!");
      expect(session.state.dialog === undefined).toBe(!isOver);
    },
  );
});

/** The daemon accepts the other change, which was sent before the refusal came. */
function answered(session: Session): void {
  const [id = 0] = session.state.writes.sent
    .filter(({ state }) => state === "pending")
    .map((one) => one.id);
  session.tell({ type: "written", id, issue: undefined });
}

/** The last line of the screen, which names the keys. */
const keys = (session: Session): string => picture(session).at(-1) ?? "";

describe("changes of several marked issues", () => {
  const both = () => screen(80, 24, [issue(1), issue(2)]).keys("space", "space");

  test("are reported in one line, refused issues stay marked, and the list of messages says why", () => {
    const session = both().keys("!", "1");
    expect(session.writes.map(({ act }) => act)).toEqual(["priority", "priority"]);
    const [second, first] = session.state.writes.sent.map(({ write }) => write);
    const uidOf = (write: typeof first) =>
      write === undefined || write.act === "create" ? "" : write.at.uid;
    answer(session, { ...issue(1), uid: uidOf(first), priority: 1 }, 1);
    refuse(session, "claim_denied", "bo holds the lease");
    expect(session.state.messages.notice?.text).toContain(
      "P1, 1 refused (product#k001): M says why",
    );
    expect(session.state.marks).toEqual(new Set([uidOf(first), uidOf(second)]));
    expect(session.state.messages.all.map(({ text }) => text).join("\n")).toContain(
      "bo holds the lease",
    );
    expect(session.keys("e").writes).toMatchObject([{ act: "priority" }]);
  });

  test("leave marks on rows that are still listed, so that the next key acts on them too", () => {
    const session = both().keys("!", "1");
    answer(session, issue(2, { priority: 1, revision: 2 }), 1);
    answer(session, issue(1, { priority: 1, revision: 2 }));
    expect(session.state.marks.size).toBe(2);
    expect(session.keys("!", "2").writes).toHaveLength(2);
    expect(session.keys("esc", "esc").state.marks.size).toBe(0);
  });

  test("remove only the mark of a row that leaves the list", () => {
    const session = both().keys("x");
    answer(session, issue(2, { status: "closed", revision: 2 }), 1);
    refuse(session, "claim_denied", "bo holds the lease");
    expect([...session.state.marks]).toEqual([issue(1).uid]);
    const all = both().keys("s", "s", "s", "s", "s");
    expect(all.state.board.query).toBe("status:all");
    all.keys("x");
    answer(all, issue(2, { status: "closed", revision: 2 }), 1);
    answer(all, issue(1, { status: "closed", revision: 2 }));
    expect(all.state.marks.size).toBe(2);
    expect(all.keys("r").writes.map(({ act }) => act)).toEqual(["reopen", "reopen"]);
  });

  test("make the footer say on how many issues each key works", () => {
    const three = [issue(1), issue(2), issue(3, { status: "closed" })];
    for (const [columns, rows] of [
      [80, 24],
      [160, 50],
    ] as const) {
      const session = screen(columns, rows, three).keys("s", "s", "s", "s", "s");
      expect(keys(session)).not.toMatch(/(close|reopen) \d/);
      session.keys("g", "space", "space", "space");
      expect(keys(session)).toContain("x close 2");
      if (columns === 160) expect(keys(session)).toContain("r reopen 1");
      expect(keys(session.keys("esc"))).not.toContain("x close 2");
    }
  });

  test("are one step to undo, and one to redo", () => {
    const session = both().keys("x");
    answer(session, issue(2, { status: "closed" }), 1);
    answer(session, issue(1, { status: "closed" }));
    expect(session.state.messages.notice?.text).toBe("closed 2 issues   u undo");
    expect(session.keys("u").writes.map(({ act }) => act)).toEqual(["reopen", "reopen"]);
    answer(session, issue(2), 1);
    answer(session, issue(1));
    expect(session.state.messages.notice?.text).toBe("undone: closed 2 issues   U redo");
    expect(session.keys("U").writes.map(({ act }) => act)).toEqual(["close", "close"]);
  });

  const many = Array.from({ length: 21 }, (_none, at) =>
    issue(at + 1, { owner: "bo", labels: ["bug"] }),
  );
  test.each([
    [["x"], "close"],
    [["A"], "unassign"],
    [["a", "c", "y", "enter"], "assign"],
    [["!", "2"], "priority"],
    [["+", "u", "i", "enter"], "label"],
    [["-", "b", "u", "g", "enter"], "unlabel"],
    [["p", "z", "9", "enter"], "link"],
    [["b", "z", "9", "enter"], "link"],
    [["l", "z", "9", "enter"], "link"],
    [["t", "2", "0", "2", "7", "-", "0", "1", "-", "0", "1", "ctrl+s"], "metadata"],
    [["m", "i", "n", "f", "r", "a", "enter"], "move"],
    [["i", "b", "o", "enter", "h", "i", "enter"], "notify"],
    [["X", "tab", "h", "i", "ctrl+s"], "close"],
    [["delete"], "delete"],
  ])("need the number of issues typed if they are more than twenty: %j", (keys, act) => {
    const session = screen(80, 24, many).keys("G", "V", "g", "V", ...keys);
    expect(session.writes).toEqual([]);
    expect(session.state.dialog).toMatchObject({ dialog: "type", expected: "21" });
    session.type("20").keys("enter");
    expect(session.writes).toEqual([]);
    session.keys("backspace").type("1").keys("enter");
    expect(session.writes.map((write) => write.act)).toEqual(Array.from({ length: 21 }, () => act));
  });

  test("skip issues that disappeared, and change the issue under the cursor if no marked one is left", () => {
    const session = screen(80, 24, [issue(1), issue(2), issue(3)]).keys("space", "space", "g");
    session.changed([], [issue(3).uid]);
    expect([...session.state.marks]).toEqual([issue(2).uid]);
    session.changed([], [issue(2).uid]);
    expect(session.keys("!", "0").writes).toMatchObject([{ at: { uid: issue(1).uid } }]);
  });

  test("of twenty issues are sent without a question", () => {
    const session = screen(80, 24, many.slice(1)).keys("G", "V", "g", "V", "x");
    expect(session.writes).toHaveLength(20);
  });

  test("the key y copies the names of all marked issues", () => {
    expect(both().keys("y").effects).toContainEqual({
      effect: "copy",
      text: "product#k002\nproduct#k001",
    });
  });
});

test("more changes of marked issues than the log keeps all get their answers", () => {
  const issues = Array.from({ length: 250 }, (_none, at) => issue(at + 1));
  const session = screen(80, 24, issues)
    .keys("G", "V", "g", "V", "!", "0")
    .type("250")
    .keys("enter");
  const ids = session.state.writes.sent.map(({ id, write }) => ({
    id,
    uid: write.act === "create" ? "" : write.at.uid,
  }));
  expect(ids).toHaveLength(250);
  for (const { id, uid } of ids) {
    const known = issues.find((one) => one.uid === uid);
    session.tell({ type: "written", id, issue: known && { ...known, priority: 0 } });
  }
  expect(session.state.writes.truth.size).toBe(0);
  expect(session.state.messages.notice?.text).toBe("made 250 issues P0   u undo");
});

test("on a realistic board every row shows its change, and loses it when the daemon refuses the change", () => {
  const session = screen(80, 24, sample()).keys("G", "V", "g", "V", "+").type("zz").keys("enter");
  const pending = session.state.writes.sent.length;
  expect(
    [...session.state.issues.values()].filter(({ labels }) => labels.includes("zz")),
  ).toHaveLength(pending);
  for (let at = 0; at < pending; at++) refuse(session, "conflict", "no", at);
  expect([...session.state.issues.values()].filter(({ labels }) => labels.includes("zz"))).toEqual(
    [],
  );
});

test("an open issue shows a change in flight as its row in the list does", () => {
  const session = one({ priority: 3 }).keys("enter");
  const show = {
    issue: { ...issue(1, { priority: 3 }) },
    comments: [],
    links: [],
    labels: [],
    children: [],
  };
  session.tell({
    type: "detail",
    uid: issue(1).uid,
    detail: { show: show as unknown as Output<typeof showIssue> },
  });
  const drawn = (): string => frame(session.state, painter("none")).join("\n");
  expect(drawn()).toContain("P3");
  session.keys("!", "0");
  expect(drawn()).toContain("P0");
  refuse(session, "conflict", "no");
  expect(drawn()).toContain("P3");
});
