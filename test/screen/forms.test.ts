import { describe, expect, test } from "vitest";
import type { showIssue } from "../../src/contract/issues.ts";
import type { Output } from "../../src/contract/route.ts";
import { unsavedWork } from "../../src/screen/forms/unsaved-work.ts";
import { commandOf } from "../../src/screen/writes/command-line.ts";
import type { Write } from "../../src/screen/writes/writes.ts";
import { form, names, values } from "../tui/on-form.ts";
import { picture, text } from "../tui/picture.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const one = (more: Parameters<typeof issue>[1] = {}) => screen(80, 24, [issue(1, more)]);
const answer = (session: Session, changed?: ReturnType<typeof issue>, back = 0): void => {
  session.tell({ type: "written", id: session.state.writes.sent[back]?.id ?? 0, issue: changed });
};
const refuse = (
  session: Session,
  code: string,
  text: string,
  candidates?: readonly string[],
): void => {
  session.tell({
    type: "refused",
    id: session.state.writes.sent[0]?.id ?? 0,
    code,
    text,
    candidates,
  });
};
describe("the form of a new issue", () => {
  test("has title, text, labels, owner, priority and parent, and sends what was typed", () => {
    const session = one().keys("n").type("Title").keys("tab").type("Body").keys("tab");
    session
      .type("a,b c")
      .keys("tab")
      .type("bo")
      .keys("tab", "right", "tab")
      .type("k001")
      .keys("ctrl+s");
    expect(session.writes).toMatchObject([
      {
        title: "Title",
        body: "Body",
        labels: ["a", "b", "c"],
        owner: "bo",
        priority: 0,
        parent: "k001",
      },
    ]);
  });

  test.each(["backspace", "delete", "ctrl+u"])(
    "a new child issue keeps its parent fixed until the person presses %s",
    (key) => {
      const session = one().keys("N").type("Child").keys("tab", "tab", "tab", "tab", "tab");
      expect(names(session)[form(session).focus]).toBe("parent");
      session.type("zz");
      expect(values(session)["parent"]).toBe("product#k001");
      session.tell({ type: "paste", text: "zz" });
      expect(values(session)["parent"]).toBe("product#k001");
      session.keys(key);
      expect(values(session)["parent"]).toBe("");
      session.type("k9").keys("ctrl+s");
      expect(session.writes).toMatchObject([{ parent: "k9" }]);
    },
  );

  test("names similar issues, and creates the issue when the form is saved again", () => {
    const session = one().keys("n").type("Twin").keys("ctrl+s");
    refuse(session, "duplicate_candidates", "there are issues like this one already", [
      "product#k007  Twin of old",
    ]);
    expect(text(session)).toContain("product#k007  Twin of old");
    expect(text(session)).toContain("send it again to create it anyway");
    expect(session.keys("ctrl+s").writes).toMatchObject([{ title: "Twin", force_new: true }]);
  });

  test("reports a refusal that arrives after the form was left, and e opens the draft again", () => {
    const session = one().keys("n").type("Later").keys("ctrl+s", "esc");
    expect(session.state.dialog).toBeUndefined();
    refuse(session, "validation", "title: no");
    expect(session.state.messages.notice?.text).toBe("title: no   e tries again");
    expect(values(session.keys("e"))).toMatchObject({ title: "Later" });
  });

  test("ignores an answer to a form that was opened earlier", () => {
    const session = one().keys("n").type("First").keys("ctrl+s", "esc", "n").type("Second");
    answer(session, issue(2, { title: "First" }));
    expect(values(session)).toMatchObject({ title: "Second" });
    const other = one().keys("n").type("First").keys("ctrl+s", "esc", "n").type("Second");
    refuse(other, "validation", "no");
    expect(form(other)).toMatchObject({ error: undefined, saving: false });
  });
});

describe("the project of a new issue", () => {
  const everywhere = (): Session => {
    const elsewhere = { project_id: 2, project_name: "infra", qualified_id: "infra#k002" };
    const session = screen(80, 24);
    session.state = {
      ...session.state,
      scope: { ...session.state.scope, project: undefined },
    };
    session.tell({
      type: "issues",
      part: "all",
      serial: 0,
      issues: [issue(1), issue(2, elsewhere)],
      gone: [],
      truncated: false,
    });
    return session.keys("g");
  };
  const toProject = (session: Session): Session => session.keys("shift+tab");

  test("is the project that the board shows, and is fixed until backspace removes it", () => {
    const session = toProject(one().keys("n").type("Title"));
    expect(text(session)).toMatch(/^Project: +product {2}\(backspace changes it\)$/m);
    session.type("x");
    expect(values(session)["project"]).toBe("product");
    session.keys("backspace").type("inf").keys("enter", "ctrl+s");
    expect(session.writes).toMatchObject([{ title: "Title", project: { id: 2, name: "infra" } }]);
  });

  test("is the project of the issue under the cursor if the board shows all projects, and can be changed", () => {
    const session = everywhere();
    expect(session.cursor).toBe("k002");
    toProject(session.keys("n").type("Title"));
    expect(values(session)["project"]).toBe("infra");
    session.keys("down");
    expect(text(session)).toMatch(/^ +> product$/m);
    session.keys("enter");
    expect(values(session)["project"]).toBe("product");
    expect(session.keys("ctrl+s").writes).toMatchObject([{ project: { id: 1, name: "product" } }]);
    const command = commandOf(session.writes[0] as Write, "ana");
    expect(command).toBe("svc create Title --project product");
  });

  test.each([
    ["", "the project is empty: an issue needs one"],
    ["prod uct", "no project is called prod uct"],
  ])("is required: with the name %j nothing is sent, and the form says why", (name, error) => {
    const session = toProject(everywhere().keys("n").type("Title")).keys("ctrl+u").type(name);
    expect(session.keys("ctrl+s").writes).toEqual([]);
    expect(form(session).error).toBe(error);
  });

  test("is part of the idempotency key, so that the issue is created once in each project", () => {
    const session = everywhere().keys("n").type("Twin").keys("ctrl+s");
    const key = (): string | undefined =>
      session.writes.flatMap((write) => ("key" in write ? [write.key] : []))[0];
    const first = key();
    refuse(session, "daemon_unavailable", "no answer");
    expect(key()).toBeUndefined();
    session.keys("ctrl+s");
    expect(key()).toBe(first);
    refuse(session, "daemon_unavailable", "no answer");
    toProject(session).keys("ctrl+u").type("product").keys("ctrl+s");
    expect(key()).toBe(`${first}-1`);
  });

  test.each([
    ["project", "product", false],
    ["title", "Other", false],
    ["owner", "bo", true],
  ])(
    "after similar issues were reported and %s became %j, the form is sent without another check: %s",
    (name, typed, force) => {
      const session = everywhere().keys("n").type("Twin").keys("ctrl+s");
      refuse(session, "duplicate_candidates", "there are issues like this one", ["infra#k7  Twin"]);
      while (names(session)[form(session).focus] !== name) session.keys("tab");
      session.keys("ctrl+u").type(typed);
      expect(text(session).includes("infra#k7  Twin")).toBe(force);
      expect(session.keys("ctrl+s").writes).toMatchObject([{ force_new: force }]);
    },
  );
});

describe("the form of a close", () => {
  test("accepts any number of evidence values, each below its type", () => {
    const session = one().keys("X", "tab").type("It holds").keys("tab", "right");
    expect(names(session)).toEqual(["reason", "message", "evidence1", "value1", "evidence2"]);
    session.keys("tab").type("1f2e3d4").keys("tab", "r", "tab").type("a.ts b.ts").keys("ctrl+s");
    expect(session.writes).toMatchObject([
      {
        reason: "done",
        message: "It holds",
        evidence: [
          { type: "commit", value: "1f2e3d4" },
          { type: "reviewed-paths", value: "a.ts" },
          { type: "reviewed-paths", value: "b.ts" },
        ],
      },
    ]);
  });

  test.each([
    ["wontfix", 1, []],
    ["duplicate", 2, ["evidence1", "value1", "evidence2"]],
    ["superseded", 3, ["evidence1", "value1", "evidence2"]],
    ["audit-no-change", 4, ["evidence1", "value1", "evidence2"]],
  ])(
    "a close as %s has fields only for the evidence that this reason accepts",
    (reason, steps, rows) => {
      const session = one().keys("X", ...Array.from({ length: steps }, () => "right"));
      expect(values(session)["reason"]).toBe(reason);
      expect(names(session).slice(2)).toEqual(rows);
    },
  );

  test("says how long the message has to be even before anything is typed", () => {
    const session = one().keys("X", "right");
    expect(form(session)?.title).toMatch(/: wontfix needs a message of 60 characters or more$/);
    session.keys("right");
    expect(form(session)?.title).toMatch(/^close product#k001: duplicate needs/);
    session.keys("left", "left");
    expect(form(session)?.title).toBe("close product#k001");
  });

  test("closes only the refused issues when it is saved again", () => {
    const session = screen(80, 24, [issue(1), issue(2)]).keys("space", "space", "X", "tab");
    session.type("gone").keys("ctrl+s");
    const [second, first] = session.state.writes.sent;
    const uidOf = (done: typeof first) => (done?.write.act === "close" ? done.write.at.uid : "");
    answer(session, { ...issue(1), uid: uidOf(first), status: "closed" }, 1);
    refuse(session, "validation", "message: too short");
    expect(form(session)).toMatchObject({ error: "message: too short", saving: false });
    expect(session.keys("ctrl+s").writes).toMatchObject([{ at: { uid: uidOf(second) } }]);
  });
});

describe("the form of dates", () => {
  test("shows the dates that several issues have in common, and sends only the changed values", () => {
    const issues = [
      issue(1, { metadata: { scheduled_on: "2026-12-01", deadline_on: "2027-01-01" } }),
      issue(2, { metadata: { scheduled_on: "2026-12-01" } }),
    ];
    const session = screen(80, 24, issues).keys("space", "space", "t");
    expect(values(session)).toEqual({
      scheduled_on: "2026-12-01",
      deadline_on: "",
      timezone: "",
      someday: "no",
    });
    session.keys("ctrl+u", "tab", "tab", "tab", "y", "ctrl+s");
    expect(session.writes).toMatchObject([
      { act: "metadata", patch: { scheduled_on: null, someday: true } },
      { act: "metadata", patch: { scheduled_on: null, someday: true } },
    ]);
    refuse(session, "invalid_metadata_value", "scheduled_on: must be YYYY-MM-DD");
    answer(session, issue(2), 1);
    expect(form(session).error).toBe("scheduled_on: must be YYYY-MM-DD");
  });
});

describe("the check of a form before it is sent", () => {
  const focused = (session: Session) => [names(session)[form(session).focus], form(session).error];

  test("a form with a wrong date explains what is wrong, and moves the cursor to that date", () => {
    const session = one().keys("t");
    expect(text(session)).toContain(
      "Scheduled:  a day like fri, +3d or 2026-11-24, or 2026-11-24T09:30",
    );
    expect(text(session)).toContain("Time zone:  a name like Europe/Berlin");
    session.type("2026-11-24").keys("tab").type("tomorow").keys("shift+tab", "ctrl+s");
    expect(session.writes).toEqual([]);
    expect(focused(session)).toEqual([
      "deadline_on",
      'Deadline: a day like fri, +3d or 2026-11-24, or 2026-11-24T09:30; "tomorow" is none',
    ]);
    session.keys("ctrl+u", "tab").type("Berlin").keys("tab", "ctrl+s");
    expect(focused(session)).toEqual([
      "timezone",
      'Time zone: a name like Europe/Berlin; "Berlin" is none',
    ]);
    session.keys("ctrl+u").type("Europe/Berlin").keys("ctrl+s");
    const patch = { scheduled_on: "2026-11-24", timezone: "Europe/Berlin" };
    expect(session.writes).toMatchObject([{ act: "metadata", patch }]);
  });

  test.each([
    // The screen is drawn on Saturday, 2026-11-21.
    ["tomorrow", "2026-11-22"],
    ["fri", "2026-11-27"],
    ["+2w", "2026-12-05"],
  ])("a date may be typed as a word: %s is %s", (word, day) => {
    const session = one().keys("t", "tab").type(word).keys("ctrl+s");
    expect(session.writes).toMatchObject([{ act: "metadata", patch: { deadline_on: day } }]);
  });

  test.each(["2026-02-28", "2026-11-24T09:30", "2026-11-24T09:30:15", "2026-11-24T09:30:00Z"])(
    "a valid date is sent as it was typed: %s",
    (typed) => {
      expect(one().keys("t").type(typed).keys("ctrl+s").writes).toMatchObject([
        { patch: { scheduled_on: typed } },
      ]);
    },
  );

  test.each([
    "2026-02-29",
    "2026-13-45",
    "24.11.2026",
    "2026-11-24T25:00",
    "2026-11-24T09:30+01:00",
  ])("a text that is no valid date is not sent, and the message quotes the text: %s", (typed) => {
    const session = one().keys("t").type(typed).keys("ctrl+s");
    expect([session.writes, form(session).error]).toEqual([[], expect.stringContaining(typed)]);
  });

  test("a form without a title or a value moves the cursor to the empty field", () => {
    const session = one().keys("n", "tab", "tab", "ctrl+s");
    expect(focused(session)).toEqual(["title", "the title is empty"]);
    const evidence = one().keys("X", "tab", "tab").keys("right", "shift+tab", "ctrl+s");
    expect(focused(evidence)).toEqual(["value1", "this evidence needs a value"]);
  });

  test.each([
    ["parent", "parent"],
    ["labels", "labels"],
    [undefined, "body"],
    ["unheard_of", "body"],
  ])("if the daemon refuses the field %s, the cursor moves to the field %s", (field, expected) => {
    const session = one().keys("n").type("T").keys("tab").type("B").keys("ctrl+s");
    const [done] = session.state.writes.sent;
    session.tell({ type: "refused", id: done?.id ?? 0, code: "validation", text: "no", field });
    expect(focused(session)).toEqual([expected, "no"]);
  });
});

describe("the reason why a line is not accepted", () => {
  test.each<readonly [string, (session: Session) => void, string]>([
    ["nothing typed", (session) => session.keys("+", "enter"), "nothing was typed   esc leaves it"],
    [
      "no label",
      (session) => session.keys("+").type("Needs review").keys("enter"),
      "a label must be 1 to 64 of a-z 0-9 . _ : -",
    ],
    [
      "no such link",
      (session) => session.keys("B").type("zz").keys("enter"),
      "choose one of the links",
    ],
    [
      "another number",
      (session) => session.keys("space", "G", "V", "A", "2", "enter"),
      "type 30 to go on, or esc",
    ],
    [
      "no daemon",
      (session) => {
        session.tell({ type: "live", live: "reconnecting" });
        session.keys("+").type("ui").keys("enter");
      },
      "! the daemon does not answer: nothing was sent",
    ],
    [
      "a name that cannot be",
      (session) => session.tell({ type: "new-project", name: "a#b", error: "a name has no #" }),
      "! a name has no #",
    ],
  ])("is shown above the line: %s", (_what, act, said) => {
    const many = Array.from({ length: 30 }, (_none, at) => {
      return issue(at + 1, { owner: "bo", related: [issue(99).uid] });
    });
    const session = screen(80, 24, many);
    act(session);
    expect(picture(session)).toHaveLength(24);
    const at = picture(session).findIndex((line) => line.startsWith(` ${said}`));
    expect(at).toBeGreaterThan(10);
    expect(at).toBeLessThan(22);
  });

  test("is absent if nothing is wrong, and no older message takes its place", () => {
    const session = one().keys("!", "0");
    answer(session, issue(1, { priority: 0 }));
    expect(text(session)).toContain("u undo");
    expect(text(session.keys("+"))).not.toContain("u undo");
  });
});

describe("text typed about an issue that disappeared meanwhile", () => {
  test.each([
    ["a comment", ["enter", "c", "h", "i"], ["ctrl+s"]],
    ["an edit", ["e", "!"], ["ctrl+s"]],
    ["dates", ["t", "2", "0", "2", "7", "-", "0", "1", "-", "0", "1"], ["ctrl+s"]],
    ["a close", ["X", "tab", "h", "i"], ["ctrl+s"]],
    ["a label", ["+", "u", "i"], ["enter"]],
    ["a parent", ["p", "k", "9"], ["enter"]],
    ["another project", ["m", "i", "n", "f", "r", "a"], ["enter"]],
  ])("is kept, with the reason why it cannot be sent: %s", (_what, typing, sending) => {
    const session = one().keys(...typing);
    session.changed([], [issue(1).uid]);
    const { dialog } = session.keys(...sending).state;
    expect(session.writes).toEqual([]);
    expect(dialog).toMatchObject({ dialog: sending[0] === "enter" ? "prompt" : "form" });
    expect(text(session)).toContain("not here any more");
    expect(JSON.stringify(dialog)).toContain(typing.at(-1));
  });
});

describe("an edit in conflict with another person's edit", () => {
  const conflict = (theirs: Parameters<typeof issue>[1]): Session => {
    const session = one().keys("e").type(" mine").keys("ctrl+s");
    refuse(session, "revision_conflict", "product#k001 was changed since");
    expect(session.effects).toContainEqual({ effect: "refresh", uids: [issue(1).uid] });
    const changed = issue(1, { revision: 7, updated_at: "2026-11-21T09:59:00.000Z", ...theirs });
    session.changed([changed]);
    return session;
  };

  test("is shown beside the other person's text and the text that both started from", () => {
    const shown = text(conflict({ title: "Theirs" }));
    expect(shown).toMatch(/Title, base +Issue number 1\n/);
    expect(shown).toMatch(/Title, theirs +Theirs\n/);
    expect(shown).toMatch(/Title, mine +Issue number 1 mine\n/);
  });

  test("replaces the other person's edit by the key o, based on the revision that was shown", () => {
    const session = conflict({ title: "Theirs" }).keys("o");
    expect(session.writes).toMatchObject([
      {
        act: "edit",
        title: "Issue number 1 mine",
        body: undefined,
        revision: 7,
        guard: '["Theirs",null]',
      },
    ]);
    answer(
      session,
      issue(1, {
        title: "Issue number 1 mine",
        revision: 7,
        updated_at: "2026-11-21T09:59:30.000Z",
      }),
    );
    expect(session.state.dialog).toBeUndefined();
  });

  test("is shown too if only the daemon noticed that the text differs", () => {
    const session = one().keys("e", "tab").type("Mine").keys("ctrl+s");
    expect(session.writes).toMatchObject([{ act: "edit", body: "Mine", before: issue(1).body }]);
    refuse(session, "body_conflict", "the body of the issue has changed");
    expect(session.state.dialog).toMatchObject({ dialog: "conflict" });
    session.changed([issue(1, { body: "Theirs" })]);
    session.keys("o");
    expect(session.writes.at(-1)).toMatchObject({ body: "Mine", before: "Theirs" });
  });

  test("is shown again if the other person changes the issue once more", () => {
    const session = conflict({ title: "Theirs" }).keys("o");
    refuse(session, "revision_conflict", "product#k001 was changed since");
    expect(session.state.dialog).toMatchObject({ dialog: "conflict" });
  });

  test("becomes the draft again with Escape, and is not sent without a key", () => {
    const session = conflict({ title: "Theirs" });
    expect(session.writes).toEqual([]);
    expect(values(session.keys("esc"))).toMatchObject({ title: "Issue number 1 mine" });
  });

  test("is given up for the other person's edit by pressing r twice", () => {
    const session = conflict({ title: "Theirs" }).keys("r");
    expect(session.state.dialog).toMatchObject({ dialog: "conflict", leaving: true });
    expect(values(session.keys("r"))).toMatchObject({ title: "Theirs" });
    expect(form(session).kind).toMatchObject({ revision: 7 });
  });

  test("is shown with a note if the other person left title and text unchanged, or closed the issue", () => {
    const same = "title and text are as you found them";
    expect(text(conflict({ owner: "bo" }))).toContain(`something else of it was changed; ${same}`);
    expect(text(conflict({ status: "closed" }))).toContain(`it is closed now; ${same}`);
  });
});

describe("leaving with unsaved text or unanswered changes", () => {
  test.each([
    [["n", "x", "ctrl+c"], "what you are typing would be lost: quit?"],
    [["x", "q"], "1 change still on the way to the daemon would be lost: quit?"],
    [["x", "ctrl+c"], "1 change still on the way to the daemon would be lost: quit?"],
  ])("asks first, after the keys %j", (keys, question) => {
    const session = one().keys(...keys);
    expect(text(session)).toContain(question);
    session.keys("n");
    expect(session.effects).toEqual([]);
    expect(session.keys("ctrl+c", "ctrl+c").effects).toEqual([{ effect: "quit" }]);
  });

  test("keeps the text if the person stays", () => {
    const session = one().keys("n").type("Draft").keys("ctrl+c", "n");
    expect(values(session)).toMatchObject({ title: "Draft" });
  });

  test("lets the daemon's answer reach the form below the question", () => {
    const saving = (): Session => one().keys("n").type("Draft").keys("ctrl+s", "ctrl+c");
    const taken = saving();
    answer(taken, issue(2, { title: "Draft" }));
    expect(taken.state.dialog).toMatchObject({ dialog: "quit" });
    expect(taken.keys("n").state.dialog).toBeUndefined();
    const refused = saving();
    refuse(refused, "validation", "title: no");
    expect(form(refused.keys("n"))).toMatchObject({ saving: false, error: "title: no" });
  });

  test("counts one refused form as one draft, for any number of issues, and no draft that is open again", () => {
    const session = screen(80, 24, [issue(1), issue(2)]).keys("space", "space", "t");
    session.type("2027-01-01").keys("ctrl+s", "esc");
    for (const { id } of session.state.writes.sent)
      session.tell({ type: "refused", id, code: "validation", text: "no" });
    expect(unsavedWork(session.state)).toEqual(["1 draft that was refused"]);
    session.keys("n").type("Draft").keys("ctrl+s", "esc");
    refuse(session, "validation", "title: no");
    expect(unsavedWork(session.state)).toEqual(["2 drafts that were refused"]);
    expect(unsavedWork(session.keys("e").state)).toEqual([
      "1 draft that was refused",
      "what you are typing",
    ]);
  });

  test("asks nothing if nothing was typed", () => {
    expect(one().keys("n", "ctrl+c").effects).toEqual([{ effect: "quit" }]);
  });

  test("a failed editor leaves the text as it was, and its failure is shown", () => {
    const session = one().keys("n", "tab").type("Draft").keys("ctrl+e");
    expect(session.effects).toEqual([{ effect: "edit-text", text: "Draft" }]);
    const error = "the editor vi failed (exit code 1): the text is as it was";
    session.tell({ type: "edited", error });
    expect(values(session)).toMatchObject({ body: "Draft" });
    expect(text(session)).toContain(error);
    expect(session.state.messages.all[0]).toMatchObject({ text: error, tone: "error" });
    session.tell({ type: "edited", text: "Edited\n" });
    expect(values(session)).toMatchObject({ body: "Edited" });
    expect(text(session)).not.toContain(error);
  });
});

describe("the editor key ctrl+e", () => {
  test.each([[[]], [["tab", "tab"]], [["shift+tab"]]])(
    "opens the body of a form, even from another field (after the keys %j)",
    (keys) => {
      const session = one({ body: "one\ntwo" }).keys(keys.length === 2 ? "n" : "e", ...keys);
      const body = values(session)["body"];
      const title = values(session)["title"];
      session.keys("ctrl+e");
      expect(session.effects).toEqual([{ effect: "edit-text", text: body }]);
      session.tell({ type: "edited", text: "a\nb\nc\nd\ne\nf\ng\n" });
      expect(values(session)).toMatchObject({ title, body: "a\nb\nc\nd\ne\nf\ng" });
    },
  );

  test("refuses several lines from the editor for a field of one line, and says so", () => {
    const session = one().keys("t").type("2026-11-30").keys("ctrl+e");
    expect(session.effects).toEqual([{ effect: "edit-text", text: "2026-11-30" }]);
    session.tell({ type: "edited", text: "a\nb\n" });
    expect(text(session)).toContain("is one line, and the editor gave 2");
    expect(Object.values(values(session))).toContain("2026-11-30");
    session.tell({ type: "edited", text: "2026-12-01\n" });
    expect(Object.values(values(session))).toContain("2026-12-01");
  });
});

describe("editing links", () => {
  const linked = () =>
    screen(80, 24, [
      issue(1, {
        parent: issue(2).uid,
        blocked_by: [issue(3).uid],
        related: ["01J00000000000000000000009"],
      }),
      issue(2),
      issue(3),
    ]).keys("E", "v");

  const onFirst = (): Session => {
    const session = linked();
    for (let at = 0; at < 4 && session.cursor !== "k001"; at++) session.keys("j");
    expect(session.cursor).toBe("k001");
    return session;
  };

  test.each([
    [
      ["B", "down", "enter"],
      { kind: "parent", does: "remove", refs: [issue(2).uid] },
      "product#k002",
    ],
    [
      ["B", "down", "down", "enter"],
      { kind: "blocked_by", does: "remove", refs: [issue(3).uid] },
      "product#k003",
    ],
    [
      ["B", "up", "enter"],
      { kind: "related", does: "remove", refs: ["01J00000000000000000000009"] },
      "01J00000000000000000000009",
    ],
  ])("removes the selected link by the keys %j", (keys, change, peers) => {
    expect(onFirst().keys(...keys).writes).toMatchObject([{ act: "link", change, peers }]);
  });

  test("does not remove links that do not exist", () => {
    const session = onFirst().keys("B").type("parent zz").keys("enter");
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe("choose one of the links");
    expect(one().keys("B").state.messages.notice?.text).toBe("it has no links");
  });

  test("removes the parent if the line is left empty, after a question", () => {
    const session = onFirst().keys("p", "enter");
    expect(text(session)).toContain("take product#k001 out of product#k002?");
    expect(session.keys("n").writes).toEqual([]);
    expect(session.keys("enter", "y").writes).toMatchObject([
      { act: "link", change: { kind: "parent", does: "remove", refs: [issue(2).uid] } },
    ]);
    expect(one().keys("p", "enter").state.messages.notice?.text).toBe("it has no parent");
  });
});

describe("the key C on an issue with comments", () => {
  const withComments = (...authors: readonly string[]): Session => {
    const session = one().keys("enter");
    const { uid } = issue(1);
    const comments = authors.map((author, at) => {
      return {
        id: at + 1,
        uid: `C${at}`,
        issue_id: 1,
        author,
        body: `text ${at}`,
        created_at: "2026-11-20T10:00:00.000Z",
      };
    });
    const show = {
      issue: { ...issue(1), labels: [] },
      comments,
      links: [],
      labels: [],
      children: [],
    };
    session.tell({
      type: "detail",
      uid,
      detail: { show: show as unknown as Output<typeof showIssue> },
    });
    return session;
  };

  test("edits the person's comment starting from its text, and sends the old text too", () => {
    const session = withComments("bo", "ana").keys("C");
    expect(values(session)).toEqual({ body: "text 1" });
    session.type("!").keys("ctrl+s");
    expect(session.writes).toMatchObject([
      { act: "edit-comment", comment: "C1", body: "text 1!", before: "text 1" },
    ]);
  });

  test("lists the person's comments if there are several", () => {
    const session = withComments("ana", "bo", "ana").keys("C", "down", "down", "enter");
    expect(values(session)).toEqual({ body: "text 0" });
  });

  test("never edits somebody else's comment", () => {
    const session = withComments("bo").keys("C");
    expect(session.state.messages.notice?.text).toBe("none of the comments is yours");
  });
});

describe("the log of the session", () => {
  test("shows the session's commands, copies one, and repeats a failed change", () => {
    const session = one({ owner: "bo" }).keys("A");
    refuse(session, "conflict", "no");
    session.keys("esc", "+").type("ui").keys("enter", "@");
    expect(text(session)).toContain("% svc label add product#k001 ui");
    expect(text(session)).toContain("! svc unassign product#k001  # no");
    expect(session.keys("y").effects).toContainEqual({
      effect: "copy",
      text: "svc label add product#k001 ui",
    });
    expect(session.keys("j", "e").writes).toMatchObject([{ act: "unassign" }]);
  });
});

test.each([
  [14, true],
  [24, false],
])("a form on %i lines says that it continues below: %s", (rows, goesOn) => {
  expect(text(screen(80, rows).keys("n")).includes("(tab: more below)")).toBe(goesOn);
});
