import { describe, expect, test } from "vitest";
import { commandOf } from "../../src/screen/writes/command-line.ts";
import { text } from "../tui/picture.ts";
import { issue, type Session, screen } from "../tui/support.ts";

/** Sends the daemon's answer to the last write. */
function answer(session: Session, changed?: ReturnType<typeof issue>): void {
  const [last] = session.state.writes.sent;
  session.tell({ type: "written", id: last?.id ?? 0, issue: changed });
}

function refuse(session: Session, code: string, text: string): void {
  const [last] = session.state.writes.sent;
  session.tell({ type: "refused", id: last?.id ?? 0, code, text });
}

const one = (more: Parameters<typeof issue>[1] = {}) => screen(80, 24, [issue(1, more)]);
const at = { uid: issue(1).uid, project_id: 1, ref: "k001", name: "product#k001" };

describe("keys that change an issue", () => {
  test.each([
    [["x"], { act: "close", at }],
    [["a", "enter"], { act: "assign", at, owner: "ana" }],
    [["a", "b", "o", "enter"], { act: "assign", at, owner: "bo" }],
    [["!", "2"], { act: "priority", at, priority: 2 }],
    [["!", "-"], { act: "priority", at, priority: undefined }],
    [["+", "u", "i", "enter"], { act: "label", at, label: "ui" }],
    [["-", "u", "i", "enter"], { act: "unlabel", at, label: "ui" }],
    [
      ["p", "z", "9", "enter"],
      { act: "link", at, change: { kind: "parent", does: "add", refs: ["z9"] } },
    ],
    [
      ["b", "z", "9", "enter"],
      { act: "link", at, change: { kind: "blocked_by", does: "add", refs: ["z9"] } },
    ],
    [
      ["alt+b", "z", "9", "enter"],
      { act: "link", at, change: { kind: "blocks", does: "add", refs: ["z9"] } },
    ],
    [
      ["l", "z", "9", "enter"],
      { act: "link", at, change: { kind: "related", does: "add", refs: ["z9"] } },
    ],
    [["delete", "y"], { act: "delete", at }],
    [["i", "b", "o", "enter", "h", "i", "enter"], { act: "notify", at, to: "bo", message: "hi" }],
    [["m", "i", "n", "f", "r", "a", "enter"], { act: "move", at, to: { name: "infra" } }],
  ])("the keys %j send their change", (keys, write) => {
    const session = one().keys(...keys);
    expect(session.writes).toMatchObject([write]);
  });

  test.each([
    [["+", "enter"], "add-label"],
    [["b", "enter"], "blocker"],
    [["alt+b", "enter"], "blocked"],
    [["l", "enter"], "related"],
    [["m", "enter"], "move"],
  ])(
    "after the keys %j the input stays open, and a message says that nothing was typed",
    (keys, kind) => {
      const session = one().keys(...keys);
      expect(session.state.dialog).toMatchObject({ dialog: "prompt", kind });
      expect(session.state.messages.notice?.text).toBe("nothing was typed   esc leaves it");
    },
  );

  test.each([
    ["b", ["k003  Issue number 3", "k004  Issue number 4"]],
    ["alt+b", ["k002  Issue number 2", "k004  Issue number 4"]],
  ])("the key %s offers no issue whose link would make a cycle", (key, offered) => {
    const issues = [
      issue(1, { blocked_by: [issue(3).uid], blocks: [issue(2).uid] }),
      issue(2, { blocked_by: [issue(1).uid] }),
      issue(3, { blocks: [issue(1).uid] }),
      issue(4),
    ];
    const session = screen(80, 24, issues).keys("v");
    while (session.cursor !== "k001") session.keys("j");
    const { dialog } = session.keys(key).state;
    const choices = dialog?.dialog === "prompt" ? dialog.choices : [];
    expect(choices.map((choice) => choice.replace("product#", "")).toSorted()).toEqual(offered);
  });

  test("enter alone removes the only link that can be removed", () => {
    const issues = [issue(1, { blocked_by: [issue(2).uid] }), issue(2)];
    const session = screen(80, 24, issues);
    while (session.cursor !== "k001") session.keys("j");
    session.keys("B", "enter");
    expect(session.writes).toMatchObject([
      { act: "link", change: { kind: "blocked_by", does: "remove", refs: [issue(2).uid] } },
    ]);
  });

  test.each([
    ["crash", "product#k001"],
    ["k001", "k001"],
    ["o", "o"],
    ["elsewhere", "elsewhere"],
  ])("in the input for a blocker, the text %j and enter choose the issue %j", (typed, ref) => {
    const issues = [issue(2), issue(1, { title: "Crash on a long path" }), issue(3)];
    const session = screen(80, 24, issues).keys("b").type(typed).keys("enter");
    expect(session.writes).toMatchObject([
      { act: "link", change: { kind: "blocked_by", does: "add", refs: [ref] } },
    ]);
  });

  test.each([
    [["i", "enter"], "no name was given: nobody was asked"],
    [["i", "b", "o", "enter", "enter"], "no message was given: bo was not asked"],
  ])("the keys %j send no request to anyone, and a message says so", (keys, said) => {
    const session = one().keys(...keys);
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe(said);
  });

  test.each([
    [["delete", "n"]],
    [["!", "esc"]],
    [["a", "esc"]],
    [["+", "enter"]],
    [["r"]],
    [["A"]],
  ])("the keys %j send no change", (keys) => {
    expect(one().keys(...keys).writes).toEqual([]);
  });
});

describe("a finished change", () => {
  test("is reported, u sends the opposite change, and U sends the change again", () => {
    const session = one().keys("x");
    expect(session.state.writes.sent[0]).toMatchObject({ state: "pending" });
    answer(session, issue(1, { status: "closed", revision: 2 }));
    expect(session.state.messages.notice?.text).toBe("closed product#k001   u undo");
    session.keys("u");
    expect(session.writes).toMatchObject([{ act: "reopen", at }]);
    answer(session, issue(1, { revision: 3 }));
    session.keys("U");
    expect(session.writes).toMatchObject([{ act: "close", at }]);
  });

  test.each([
    [{}, "closed product#k001"],
    [{ blocked_by: [issue(2).uid] }, "closed product#k001, though it waits for product#k002"],
    [
      { blocked_by: [issue(2).uid, issue(3).uid] },
      "closed product#k001, though it waits for product#k002 and 1 more",
    ],
    [{ blocked_by: [issue(4).uid] }, "closed product#k001"],
  ])("is reported with the open issues that still block the closed one: %j", (more, text) => {
    const closed = issue(4, { status: "closed" });
    const first = { ...more, updated_at: "2026-11-20T11:00:00.000Z" };
    const session = screen(80, 24, [issue(1, first), issue(2), issue(3), closed]).keys("x");
    answer(session, issue(1, { ...first, status: "closed", revision: 2 }));
    expect(session.state.messages.notice?.text).toBe(`${text}   u undo`);
    session.keys("u");
    answer(session, issue(1, { ...first, revision: 3 }));
    expect(session.state.messages.notice?.text).toBe("undone: closed product#k001   U redo");
  });

  test("the key a asks before the person takes another owner's issue, and not before they give it to a third person", () => {
    const session = one({ owner: "bo" }).keys("a", "enter");
    expect(session.writes).toEqual([]);
    expect(text(session)).toContain("bo owns product#k001: take it?");
    expect(session.keys("n").state.dialog).toMatchObject({ dialog: "prompt" });
    expect(session.keys("enter", "y").writes).toMatchObject([{ act: "assign", owner: "ana" }]);
    const given = one({ owner: "bo" }).keys("a").type("cy").keys("enter");
    expect(given.writes).toMatchObject([{ act: "assign", owner: "cy" }]);
    const own = screen(80, 24, [issue(1)])
      .keys("a")
      .type("an")
      .keys("enter");
    expect(own.writes).toMatchObject([{ act: "assign", owner: "ana" }]);
    const some = [issue(1, { owner: "bo" }), issue(2, { owner: "cy" }), issue(3)];
    const marked = screen(80, 24, some).keys("space", "space", "space", "a", "enter");
    expect(text(marked)).toContain("cy, bo own 2 of them: take these too?");
    expect(marked.keys("y").writes).toHaveLength(3);
  });

  test.each([
    [["a", "b", "o", "enter"], { owner: "ana" }, { owner: "bo" }, { act: "assign", owner: "ana" }],
    [["a", "b", "o", "enter"], {}, { owner: "bo" }, { act: "unassign" }],
    [["!", "0"], { priority: 3 }, { priority: 0 }, { act: "priority", priority: 3 }],
    [["+", "u", "i", "enter"], {}, { labels: ["ui"] }, { act: "unlabel", label: "ui" }],
  ])("the keys %j on an issue with %j set %j, and u sends %j", (keys, before, after, inverse) => {
    const session = one(before).keys(...keys);
    answer(session, issue(1, { ...before, ...after, revision: 2 }));
    expect(session.keys("u").writes).toMatchObject([inverse]);
  });

  test("is recorded in the session's log as the svc command that makes the same change", () => {
    const session = one().keys("+", "u", "i", "enter");
    expect(session.state.writes.sent.map(({ write }) => commandOf(write, "ana"))).toEqual([
      "svc label add product#k001 ui",
    ]);
  });

  test("a refused change shows the reason until the person dismisses it, and the issue stays as it was", () => {
    const session = one().keys("x");
    refuse(session, "parent_has_open_children", "it has open children: product#k002");
    expect(session.state.messages.notice).toMatchObject({ tone: "error" });
    expect(session.state.issues.get(at.uid)?.status).toBe("open");
    session.keys("esc");
    expect(session.state.messages.notice).toBeUndefined();
  });

  test("cannot be undone twice", () => {
    const session = one().keys("x");
    answer(session, issue(1, { status: "closed", revision: 2 }));
    session.keys("u");
    answer(session, issue(1, { revision: 3 }));
    session.keys("u");
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe("nothing to undo");
  });
});

describe("closing an issue", () => {
  test("asks for the missing evidence in one line if the daemon requires evidence", () => {
    const session = one().keys("x");
    refuse(session, "validation", "message is required");
    expect(session.state.dialog).toMatchObject({ dialog: "prompt", kind: "close", uids: [at.uid] });
    expect(session.state.connection.quickClose).toBe(false);
  });

  test("asks for evidence at once if the daemon has already reported that it requires evidence", () => {
    const session = one();
    session.tell({ type: "auth", quickClose: false });
    expect(session.keys("x").state.dialog).toMatchObject({ kind: "close" });
    const why = "The old format is read by nobody any more, and its reader goes away with 2.0";
    session.type(`wontfix: ${why}`).keys("enter");
    expect(session.writes).toMatchObject([{ act: "close", reason: "wontfix", message: why }]);
  });
});

describe("a form", () => {
  test("keeps the typed text when the daemon refuses the change, and closes when the daemon accepts it", () => {
    const session = one().keys("n").type("A title").keys("ctrl+s");
    expect(session.writes).toMatchObject([
      { act: "create", title: "A title", project: { id: 1, name: "product" } },
    ]);
    refuse(session, "validation", "title: too long");
    expect(session.state.dialog).toMatchObject({ error: "title: too long", saving: false });
    session.keys("ctrl+s");
    answer(session, issue(2, { title: "A title" }));
    expect(session.state.dialog).toBeUndefined();
    expect(session.cursor).toBe("k002");
  });

  test("a form for an issue that resembles another one creates the issue when it is saved a second time", () => {
    const session = one().keys("n").type("Twin").keys("ctrl+s");
    refuse(session, "duplicate_candidates", "there are issues like this one already");
    session.keys("ctrl+s");
    expect(session.writes).toMatchObject([{ act: "create", force_new: true }]);
    const [second, first] = session.state.writes.sent.map(({ write }) => write);
    expect(second).toMatchObject({ key: first?.act === "create" ? first.key : "" });
  });

  test("a form with content is left only by a second Escape", () => {
    const session = one().keys("n").type("x").keys("esc");
    expect(session.state.dialog).toMatchObject({ leaving: true });
    expect(session.keys("esc").state.dialog).toBeUndefined();
    expect(one().keys("n", "esc").state.dialog).toBeUndefined();
  });

  test("keeps the line ends of a paste in a field of several lines, and replaces them by blanks in one of a single line", () => {
    const session = one().keys("n");
    session.tell({ type: "paste", text: "two\nlines" });
    session.keys("tab");
    session.tell({ type: "paste", text: "two\nlines" });
    session.keys("ctrl+s");
    expect(session.writes).toMatchObject([{ title: "two lines", body: "two\nlines" }]);
  });

  test("names the field that is empty, and sends nothing", () => {
    const session = one().keys("n", "ctrl+s");
    expect(session.writes).toEqual([]);
    expect(session.state.dialog).toMatchObject({ error: "the title is empty" });
  });

  test("a form for dates sends only the dates that were changed", () => {
    const session = one({ metadata: { scheduled_on: "2026-12-01" } })
      .keys("t", "tab")
      .type("2026-12-24");
    session.keys("ctrl+s");
    expect(session.writes).toMatchObject([
      { act: "metadata", patch: { deadline_on: "2026-12-24" } },
    ]);
  });
});

describe("a text that arrives in one read", () => {
  const burst = (text: string, ...keys: readonly string[]) => {
    const session = one().keys(...keys);
    session.tell({ type: "burst", text, goesOn: false });
    return session;
  };

  test("goes into the input that its first key opens, and a line end at its end counts as enter", () => {
    expect(burst("+urgent-thing\n").writes).toMatchObject([{ act: "label" }]);
    const form = burst("na new title\tand more");
    const { dialog } = form.state;
    const texts = dialog?.dialog === "form" ? dialog.fields.map(({ value }) => value.text) : [];
    expect(texts.slice(0, 2)).toEqual(["a new title", "and more"]);
  });

  test("goes into the open input, with blanks instead of line ends", () => {
    const { state, writes } = burst("one\ntwo three", "+");
    expect(state.dialog).toMatchObject({ dialog: "prompt", field: { text: "one two three" } });
    expect(writes).toEqual([]);
  });

  test.each([
    ["xxy delete it\nx", []],
    ["\n+ a label\n", []],
    ["y and some more", ["q"]],
    ["1 and some more", ["!"]],
  ])("is not read as keys if no input is open: the text %j after the keys %j", (text, keys) => {
    const before = one().keys(...keys);
    const after = burst(text, ...keys);
    expect(after.effects.filter(({ effect }) => effect !== "wake")).toEqual([]);
    expect({ ...after.state, messages: { ...after.state.messages, notice: undefined } }).toEqual({
      ...before.state,
      messages: { ...before.state.messages, notice: undefined },
    });
  });

  test("opens no input if more of the text is still to arrive", () => {
    const session = one();
    session.tell({ type: "burst", text: "n title", goesOn: true });
    expect(session.state.dialog).toBeUndefined();
    expect(session.state.messages.notice?.text).toContain("paste");
  });
});

test("a paste outside an input is not read as keys", () => {
  const session = one();
  session.tell({ type: "paste", text: "xxxx" });
  expect(session.writes).toEqual([]);
  expect(session.state.messages.notice?.text).toContain("paste");
});
