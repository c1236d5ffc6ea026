import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Draft } from "../../src/screen/forms/dialog.ts";
import { draftsHere, draftsOf, offerDrafts } from "../../src/screen/forms/drafts.ts";
import { DraftKeeper, readDrafts } from "../../tui/drafts.ts";
import { speech } from "../../tui/reader/speech.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { form, values } from "./on-form.ts";
import { text } from "./picture.ts";
import { issue, NOW, type Session, sample, screen } from "./support.ts";

const one = (): Session => screen(80, 24, [issue(1)]);
const refuse = (session: Session, code: string): void => {
  const id = session.state.writes.sent[0]?.id ?? 0;
  session.tell({ type: "refused", id, code, text: "no" });
};
const answer = (session: Session): void => {
  session.tell({ type: "written", id: session.state.writes.sent[0]?.id ?? 0, issue: issue(1) });
};
const titles = (drafts: readonly Draft[]): readonly string[] =>
  drafts.map((draft) => draft.form.title);

/** A screen that is opened after another one was ended with these drafts. */
function after(drafts: readonly Draft[], issues = sample()): Session {
  const session = screen(80, 24, issues);
  session.state = offerDrafts({
    ...session.state,
    session: { ...session.state.session, id: "next" },
    writes: { ...session.state.writes, drafts },
  });
  return session;
}

const draftOf = (...keys: readonly string[]): readonly Draft[] =>
  draftsOf(one().keys(...keys).state);
const NEW = ["n", "H", "a", "l", "f"];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "svc-drafts-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

describe("text that would be lost", () => {
  test.each([
    [["n"], []],
    [NEW, ["new issue"]],
    [["e", "!"], ["edit product#k001"]],
    [["e", "!", "backspace"], []],
    [["enter", "c", "h"], ["comment on product#k001"]],
    [["X", "tab", "h"], ["close product#k001"]],
    [["t", "2"], ["dates of product#k001"]],
    [[...NEW, "ctrl+c"], ["new issue"]],
    [[...NEW, "ctrl+s"], ["new issue"]],
    [[...NEW, "ctrl+s", "esc"], ["new issue"]],
    [[...NEW, "esc", "esc"], []],
    [["f", "tab", "b", "o"], []],
    [["/", "b", "o"], []],
  ])("after the keys %j is in these forms: %j", (keys, kept) => {
    expect(titles(draftOf(...keys))).toEqual(kept);
  });

  test("includes refused text until the person dismisses the refusal, and never accepted text", () => {
    const session = one().keys(...NEW, "ctrl+s", "esc", "e", "!", "ctrl+s", "esc");
    expect(titles(draftsOf(session.state))).toEqual(["edit product#k001", "new issue"]);
    refuse(session, "validation");
    const [, older] = session.state.writes.sent;
    session.tell({ type: "refused", id: older?.id ?? 0, code: "validation", text: "no" });
    expect(titles(draftsOf(session.state))).toEqual(["edit product#k001", "new issue"]);
    // The visible error is the last one; the other is that of the issue.
    expect(titles(draftsOf(session.keys("esc").state))).toEqual(["edit product#k001"]);
    expect(draftsOf(session.keys("esc").state)).toEqual([]);
    const taken = one().keys(...NEW, "ctrl+s");
    answer(taken);
    expect(draftsOf(taken.state)).toEqual([]);
  });

  test("is stored with the daemon and the project that it belongs to", () => {
    const here = { daemon: "local", project: { id: 1, name: "product" }, at: NOW };
    expect(draftOf("e", "!")).toMatchObject([here]);
    expect(draftOf(...NEW, "shift+tab", "backspace", ..."infra".split(""))).toMatchObject([
      { ...here, project: { id: 2, name: "infra" } },
    ]);
  });
});

describe("a draft of an earlier session", () => {
  test("is offered on its own board only", () => {
    const [draft] = draftOf(...NEW);
    if (draft === undefined) throw new Error("there is no draft");
    const elsewhere = { ...draft, id: "b", project: { id: 2, name: "infra" } };
    const remote = { ...draft, id: "c", daemon: "team" };
    const { state } = after([draft, elsewhere, remote]);
    expect(draftsHere(state)).toEqual([draft]);
    expect(draftsHere({ ...state, scope: { ...state.scope, project: undefined } })).toEqual([
      draft,
      elsewhere,
    ]);
    expect(after([elsewhere, remote]).state.dialog).toBeUndefined();
    expect(after([remote]).keys(":").type("drafts").keys("enter").state.messages.notice?.text).toBe(
      "no draft is kept for this board",
    );
  });

  test("is listed with its form, its beginning and its age, and is not opened by other keys", () => {
    const session = after(draftOf(...NEW));
    session.state = { ...session.state, now: "2026-11-21T13:00:00.000Z" };
    expect(text(session)).toMatch(/^-- a draft that was not sent -+\n> new issue +Half +3h\n/m);
    for (const key of ["n", "c", "space", "y"]) session.keys(key);
    expect(session.state.dialog?.dialog).toBe("drafts");
    expect(session.effects).toEqual([]);
  });

  test("opens unchanged with the same idempotency key, so that the issue is created once", () => {
    const before = one().keys(...NEW, "ctrl+s");
    const [sent] = before.writes;
    const session = after(draftsOf(before.state)).keys("enter");
    expect(values(session)).toMatchObject({ title: "Half" });
    expect(form(session)).toMatchObject({ saving: false, error: undefined });
    expect(session.keys("ctrl+s").writes).toEqual([sent]);
    answer(session);
    expect(session.effects).toContainEqual({ effect: "drop-draft", id: "test-1" });
  });

  test.each([
    ["x", ["x"], true],
    ["leaving it", ["enter", "esc", "esc"], true],
    ["esc", ["esc"], false],
    ["opening it", ["enter"], false],
    ["another key", ["j"], false],
  ])("is dropped by %s, the keys %j: %s", (_how, keys, isDropped) => {
    const session = after(draftOf(...NEW));
    const dropped = keys.flatMap((key) => session.tell({ type: "key", key }));
    expect(dropped.filter(({ effect }) => effect === "drop-draft")).toEqual(
      isDropped ? [{ effect: "drop-draft", id: "test-1" }] : [],
    );
  });

  test("a draft that was left for later is opened with the command drafts", () => {
    const session = after(draftOf(...NEW))
      .keys("esc", ":")
      .type("drafts")
      .keys("enter", "enter");
    expect(values(session)).toMatchObject({ title: "Half" });
  });

  test("can be opened once its issue is loaded, and is kept if the issue has disappeared", () => {
    const session = after(draftOf("e", "!"), []);
    session.state = { ...session.state, loading: { ...session.state.loading, stage: "first" } };
    expect(session.keys("enter").state.messages.notice?.text).toBe("its issue is not loaded yet");
    session.changed([issue(1)]);
    expect(values(session.keys("enter"))).toMatchObject({ title: "Issue number 1!" });
    const gone = after(draftOf("e", "!"), []).keys("enter");
    expect(gone.state.messages.notice?.text).toBe("its issue is not here any more");
    expect(gone.state.writes.drafts).toHaveLength(1);
  });

  test("is stored again under its own name, and only once", () => {
    const session = after(draftOf(...NEW))
      .keys("enter")
      .type("!");
    const [again, ...others] = draftsOf(session.state);
    expect(others).toEqual([]);
    expect(again?.id).toBe("test-1");
    expect(again?.form.fields[0]?.value.text).toBe("Half!");
  });

  test("is listed with the other drafts, and the next is offered when one is dropped", () => {
    const [first, second] = [draftOf(...NEW), draftOf("e", "!")].flat();
    if (first === undefined || second === undefined) throw new Error("there are two drafts");
    const session = after([first, { ...second, id: "b" }]);
    expect(text(session)).toContain("drafts that were not sent");
    expect(session.keys("G").state.dialog).toMatchObject({ at: 1 });
    session.keys("x");
    expect(text(session)).toMatch(/> new issue +Half/);
    expect(session.keys("x").state.dialog).toBeUndefined();
  });

  test("a draft that is dropped leaves the cursor in place for the next one", () => {
    const [draft] = draftOf(...NEW);
    if (draft === undefined) throw new Error("there is no draft");
    const session = after(["a", "b", "c"].map((id) => ({ ...draft, id })));
    session.keys("j", "x", "x");
    expect(session.state.writes.drafts.map(({ id }) => id)).toEqual(["a"]);
  });

  test.each([
    [40, 10],
    [80, 24],
    [250, 70],
  ])("fits on %i columns and %i lines, whatever was typed", (columns, rows) => {
    const wide = one().keys("n").type("日本語 👩‍💻 ".repeat(20));
    const session = after(draftsOf(wide.state));
    session.tell({ type: "resize", columns, rows });
    const lines = frame(session.state, painter("none"));
    expect(lines.map(cells)).toEqual(Array.from({ length: rows }, () => columns));
    expect(text(session)).toContain("new issue");
  });

  test("is read out by the screen reader", () => {
    const { state } = after(draftOf(...NEW));
    const lines = speech({ ...state, dialog: undefined }, state, "key");
    expect(lines).toContain("new issue, Half, 0s");
    expect(lines.at(-1)).toContain("enter open, x drop");
  });
});

describe("the folder of drafts", () => {
  test("returns stored drafts, the newest first", () => {
    const path = join(folder(), "drafts");
    const session = one().keys(...NEW);
    new DraftKeeper(path, () => session.state).keep();
    const later = {
      ...session.state,
      session: { ...session.state.session, id: "later" },
      now: "2026-11-21T10:00:01.000Z",
    };
    new DraftKeeper(path, () => later).keep();
    const drafts = readDrafts(path);
    expect(drafts.map(({ id }) => id)).toEqual(["later-1", "test-1"]);
    expect(after(drafts.slice(1)).keys("enter", "ctrl+s").writes).toMatchObject([
      { title: "Half" },
    ]);
  });

  test("no longer has drafts that the daemon accepted, or that a key dismissed", () => {
    const path = folder();
    const session = one().keys(...NEW, "ctrl+s");
    const keeper = new DraftKeeper(path, () => session.state);
    keeper.keep();
    expect(readDrafts(path)).toHaveLength(1);
    answer(session);
    keeper.close(true);
    expect(readDrafts(path)).toEqual([]);

    const second = one().keys(...NEW);
    new DraftKeeper(path, () => second.state).keep();
    const opened = after(readDrafts(path)).keys("enter");
    new DraftKeeper(path, () => opened.state).close(false);
    expect(readDrafts(path)).toEqual([]);
  });

  test.each([
    ["no JSON", "{"],
    ["another object", "[]"],
    ["a later way to write it", '{"draft":2}'],
    [
      "a form without fields",
      JSON.stringify({
        draft: 1,
        at: NOW,
        daemon: "local",
        project: { id: 1, name: "p" },
        form: { dialog: "form" },
      }),
    ],
  ])("keeps files that it does not understand: %s", (_what, content) => {
    const path = folder();
    writeFileSync(join(path, "odd.json"), content);
    mkdirSync(join(path, "folder.json"));
    expect(readDrafts(path)).toEqual([]);
    expect(readdirSync(path)).toContain("odd.json");
  });

  test("may be missing, and svc continues if it cannot be written", () => {
    const path = join(folder(), "file");
    expect(readDrafts(path)).toEqual([]);
    writeFileSync(path, "");
    const session = one().keys(...NEW);
    const keeper = new DraftKeeper(path, () => session.state);
    keeper.keep();
    expect(readDrafts(path)).toEqual([]);
    keeper.close(true);
  });

  test("contains nothing of a draft that could not be stored", () => {
    const path = folder();
    mkdirSync(join(path, "test-1.json", "in-its-place"), { recursive: true });
    const session = one().keys(...NEW);
    new DraftKeeper(path, () => session.state).keep();
    expect(readdirSync(path)).toEqual(["test-1.json"]);
  });

  test("makes svc print the typed text at its end if it cannot be written, without text that was accepted", () => {
    const path = join(folder(), "file");
    writeFileSync(path, "");
    const session = one().keys(...NEW, "ctrl+s", "esc", "e", "!", "tab");
    session.tell({ type: "paste", text: "one\n\u001B[31mtwo" });
    const keeper = new DraftKeeper(path, () => session.state);
    keeper.keep();
    answer(session);
    expect(keeper.close(true).split("\n")).toEqual([
      expect.stringMatching(/^svc: a draft could not be kept: E\w+: .*file/),
      "edit product#k001",
      "Title: Issue number 1!",
      "Body: one",
      " [31mtwo",
      "",
      "",
    ]);
    // A person who leaves with a key was asked before.
    expect(keeper.close(false)).toBe("");
    const kept = new DraftKeeper(folder(), () => session.state);
    kept.keep();
    expect(kept.close(true)).toBe("");
  });
});
