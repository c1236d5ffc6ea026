import { describe, expect, test } from "vitest";
import { faultsInLine, parseClosing } from "../../src/screen/forms/close-line.ts";
import { picture } from "../tui/picture.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const WHY = "Both spokes keep their grants when one is rotated now";
const NO = "The old format is read by nobody any more, and its reader goes away with 2.0";

describe("the command line for a close", () => {
  test.each([
    ["", "done", "", []],
    [`${WHY} commit:1f2e3d4`, "done", WHY, ["commit:1f2e3d4"]],
    [`commit:1f2e3d4 ${WHY}`, "done", WHY, ["commit:1f2e3d4"]],
    [
      `${WHY} test:"npm test" pr:https://example.com/p/1`,
      "done",
      WHY,
      ["test:npm test", "pr:https://example.com/p/1"],
    ],
    [
      `${WHY} reviewed-paths:src/a.ts,src/b.ts external:bo`,
      "done",
      WHY,
      ["reviewed-paths:src/a.ts", "reviewed-paths:src/b.ts", "external:bo"],
    ],
    [`wontfix: ${NO}`, "wontfix", NO, []],
    ["the same crash duplicate-of:abc4", "duplicate", "the same crash", ["duplicate-of:abc4"]],
    ["a better way superseded-by:abc4", "superseded", "a better way", ["superseded-by:abc4"]],
    [
      'nothing had to change no-change-audit:"looked at all"',
      "audit-no-change",
      "nothing had to change",
      ["no-change-audit:looked at all"],
    ],
    ["wontfix is what they said", "done", "wontfix is what they said", []],
    ["see precommit:abc1234 and commit: too", "done", "see precommit:abc1234 and commit: too", []],
    ["done: it works  now", "done", "it works now", []],
  ])("the text %j closes an issue as %s", (line, reason, message, evidence) => {
    const closing = parseClosing(line);
    expect({
      ...closing,
      evidence: closing.evidence.map(({ type, value }) => `${type}:${value}`),
    }).toEqual({ reason, message, evidence });
  });

  test.each([
    [`${WHY} commit:1f2e3d4`, []],
    [`wontfix: ${NO}`, []],
    [WHY, [expect.stringContaining("done needs at least one of commit")]],
    ["wontfix: too late", [expect.stringContaining("at least 60 characters, this has 8")]],
    [`${WHY} commit:nothex!`, [expect.stringContaining("commit needs sha")]],
    [`wontfix: ${NO} commit:1f2e3d4`, [expect.stringContaining("no evidence for wontfix")]],
    ["ok commit:1f2e3d4", [expect.stringContaining('"ok" does not say')]],
  ])("in the text %j these faults are reported: %j", (line, faults) => {
    expect(faultsInLine(line)).toEqual(faults);
  });
});

const ROOMS = [
  [80, 24],
  [160, 50],
] as const;

function strict(columns: number, rows: number, issues = [issue(1), issue(2), issue(3)]): Session {
  const session = screen(columns, rows, issues);
  session.tell({ type: "auth", quickClose: false });
  return session;
}

const drawn = (session: Session): string => picture(session).join("\n");

describe.each(ROOMS)("the key x on a screen of %i by %i", (columns, rows) => {
  const opened = (...keys: readonly string[]): Session => strict(columns, rows).keys(...keys, "x");

  test("asks in one line for what the rules require, and sends nothing until the line has all of it", () => {
    const session = opened();
    expect(drawn(session)).toContain("close product#k003:");
    session.type("done").keys("enter");
    expect(session.writes).toEqual([]);
    expect(drawn(session)).toContain('"done" does not say what was done');
    session.keys("ctrl+u").type(WHY).keys("enter");
    expect(session.writes).toEqual([]);
    expect(drawn(session)).toContain("done needs at least one of commit, pr, test");
    session.type(" commit:1f2e3d4");
    expect(drawn(session)).toContain("enter closes as done");
    expect(session.keys("enter").writes).toMatchObject([
      { act: "close", reason: "done", message: WHY, evidence: [{ type: "commit" }] },
    ]);
    expect(session.state.dialog).toBeUndefined();
  });

  test("closes the issue without a question if the daemon requires no evidence", () => {
    const session = screen(columns, rows, [issue(1)]);
    session.tell({ type: "auth", quickClose: true });
    expect(session.keys("x").writes).toMatchObject([{ act: "close", message: undefined }]);
  });

  test("closes all marked issues with one message, and names the issues that the daemon refused to close", () => {
    const session = opened("space", "space", "space");
    expect(drawn(session)).toContain("close 3 issues:");
    session.type(`wontfix: ${NO}`).keys("enter");
    const closes = session.writes.flatMap((write) => (write.act === "close" ? [write] : []));
    expect(closes.map(({ message }) => message)).toEqual([NO, NO, NO]);
    const ids = session.state.writes.sent.map(({ id }) => id).toReversed();
    for (const [at, { at: where }] of closes.entries()) {
      const text = "it has open children: product#k009";
      if (where.name === "product#k002")
        session.tell({ type: "refused", id: ids[at] ?? 0, code: "parent_has_open_children", text });
      else {
        const number = Number(where.ref.slice(1));
        const closed = issue(number, { status: "closed", revision: 2 });
        session.tell({ type: "written", id: ids[at] ?? 0, issue: closed });
      }
    }
    expect(session.state.messages.notice?.text).toContain(
      "closed 2 issues, 1 refused (product#k002): M says why",
    );
    expect([...session.state.marks]).toEqual([issue(2).uid]);
    session.keys("e");
    expect(session.state.dialog).toMatchObject({
      kind: "close",
      label: "close product#k002",
      field: { text: `wontfix: ${NO}` },
    });
  });

  test("says how many of the marked issues are open and will be closed", () => {
    const session = strict(columns, rows, [issue(1), issue(2, { status: "closed" }), issue(3)]);
    session.keys("s", "s", "s", "s", "s", "g", "space", "space", "space", "x");
    expect(drawn(session)).toContain("close 2 of 3 issues:");
  });

  test("keeps the typed text when the daemon refuses it, and says why", () => {
    const session = opened().type("the same crash as there duplicate-of:k9").keys("enter");
    const id = session.state.writes.sent[0]?.id ?? 0;
    const text = "there is no issue k9 in this project";
    session.tell({ type: "refused", id, code: "validation", text, field: "evidence" });
    expect(drawn(session)).toContain(text);
    expect(session.state.dialog).toMatchObject({
      field: { text: "the same crash as there duplicate-of:k9" },
    });
    session.keys("backspace");
    expect(drawn(session)).not.toContain(text);
  });

  test("names open children before anything is typed", () => {
    const session = strict(columns, rows, [
      issue(1, { child_counts: { open: 1, total: 1 } }),
      issue(2, { parent: issue(1).uid }),
    ]);
    session.keys("g", "x");
    expect(drawn(session)).toContain("an open child: close it first");
  });

  test("opens a line that completes evidence types and issues, and that ctrl+e turns into a form with the typed text", () => {
    const session = opened().type(`${WHY} com`).keys("tab").type("1f2e3d4 test:npm").keys("ctrl+e");
    expect(session.state.dialog).toMatchObject({
      dialog: "form",
      kind: { form: "close", uids: [issue(3).uid] },
      fields: [
        { name: "reason", value: { text: "done" } },
        { name: "message", value: { text: WHY } },
        { name: "evidence1", value: { text: "commit" } },
        { name: "value1", value: { text: "1f2e3d4" } },
        { name: "evidence2", value: { text: "test" } },
        { name: "value2", value: { text: "npm" } },
        { name: "evidence3", value: { text: "none" } },
      ],
    });
    const other = opened().type("the same duplicate-of:number").keys("down", "enter");
    expect(other.state.dialog).toMatchObject({
      field: { text: "the same duplicate-of:product#k002" },
    });
    expect(other.writes).toEqual([]);
  });
});
