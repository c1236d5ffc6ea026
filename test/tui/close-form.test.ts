import { describe, expect, test } from "vitest";
import type { showIssue } from "../../src/contract/issues.ts";
import type { Output } from "../../src/contract/route.ts";
import { closeObstacles } from "../../src/screen/forms/close-form.ts";
import { speech } from "../../tui/reader/speech.ts";
import { form } from "./on-form.ts";
import { text } from "./picture.ts";
import { issue, type Session, screen } from "./support.ts";

const way = (session: Session): readonly string[] => closeObstacles(session.state, form(session));
const children = (count: number, more: Parameters<typeof issue>[1] = {}) =>
  Array.from({ length: count }, (_none, at) => issue(at + 2, { parent: issue(1).uid, ...more }));
const child = (number: number): string => `  product#k00${number}  Issue number ${number}`;

/** Opens the close form of the first issue, beside these issues. */
function closing(
  others: ReturnType<typeof children>,
  more: Parameters<typeof issue>[1] = {},
): Session {
  const session = screen(80, 24, [issue(1, more), ...others]).keys("v");
  while (session.cursor !== "k001") session.keys("j");
  return session.keys("X");
}

function strict(session: Session): Session {
  session.tell({ type: "auth", quickClose: false });
  return session;
}

describe("obstacles to a close", () => {
  test.each([
    [0, []],
    [1, ["an open child: close it first, or give another parent", child(2)]],
    [
      3,
      ["3 open children: close them first, or give another parent", child(2), child(3), child(4)],
    ],
    [
      4,
      [
        "4 open children: close them first, or give another parent",
        child(2),
        child(3),
        child(4),
        "  and 1 more",
      ],
    ],
  ])("include open children, %i of them", (count, lines) => {
    expect([...way(closing(children(count)))].sort()).toEqual([...lines].sort());
  });

  test("do not include closed children, but include children that are not loaded", () => {
    expect(way(closing(children(1, { status: "closed" })))).toEqual([]);
    expect(way(closing([], { child_counts: { open: 2, total: 2 } }))).toEqual([
      "2 open children: close them first, or give another parent",
      "  and 2 more",
    ]);
  });

  test("disappear from the open form when somebody closes the child", () => {
    const session = closing(children(1));
    expect(text(session)).toContain(child(2));
    session.changed([issue(2, { parent: issue(1).uid, status: "closed", revision: 2 })]);
    expect(text(session)).not.toContain("open child");
  });

  test("name the issue if several issues are to be closed", () => {
    const session = screen(80, 24, [issue(1), ...children(1), issue(9)]).keys("v");
    session.keys("space", "space", "space", "X");
    expect(way(session)).toEqual([
      "product#k001: an open child: close it first, or give another parent",
      child(2),
    ]);
  });

  test("do not include a blocker, which is only mentioned", () => {
    const session = closing([issue(2), issue(3)], { blocked_by: [issue(2).uid, issue(3).uid] });
    expect(way(session)).toEqual([
      'it can be closed, though it waits for product#k002 "Issue number 2" and 1 more',
    ]);
  });

  test.each([
    ["bo", ["product#k001 is leased to bo"]],
    ["ana", []],
  ])("include the lease that %s holds, unless it is the person's own", (holder, lines) => {
    const session = closing([]);
    const show = { issue: issue(1), lease: { holder } } as unknown as Output<typeof showIssue>;
    session.tell({ type: "detail", uid: issue(1).uid, detail: { show } });
    expect(way(session)).toEqual(lines);
  });

  test("are empty if the daemon trusts the person, and otherwise list everything missing", () => {
    const session = closing([]);
    expect(way(session)).toEqual([]);
    expect(way(strict(session))).toEqual([
      "message: done needs a message of at least 40 characters, this has 0",
      "evidence: done needs at least one of commit, pr, test, reviewed-paths, external",
    ]);
    expect(text(session)).toContain("external\n");
  });

  test("include a message that is too short, until enough of it is typed", () => {
    const session = closing([]).keys("right", "tab").type("a".repeat(59));
    expect(way(session)).toEqual([
      "message: wontfix needs a message of at least 60 characters, this has 59",
    ]);
    expect(way(session.type("a"))).toEqual([]);
  });

  test("leave the typed line visible, however little room there is", () => {
    const session = closing([]).keys("right", "tab").type("not long enough");
    session.tell({ type: "resize", columns: 40, rows: 10 });
    expect(text(session)).toContain("characters, this has 15");
    expect(text(session)).toContain("Message: not long enough");
    session.keys("enter").type("nor is this");
    expect(text(session)).toContain("nor is this");
  });

  test("include evidence of the wrong form", () => {
    const session = closing([]).keys("tab").type("b".repeat(40)).keys("tab", "right", "tab");
    expect(way(session.type("12"))).toEqual(["evidence: commit needs sha: 7 to 40 hex digits"]);
    expect(way(session.type("34567"))).toEqual([]);
  });

  test("are not repeated when the daemon reports them too", () => {
    const session = strict(closing([])).keys("ctrl+s");
    const [first = ""] = way(session);
    const id = session.state.writes.sent[0]?.id ?? 0;
    session.tell({ type: "refused", id, code: "validation", text: first });
    expect(text(session).split(first)).toHaveLength(2);
  });
});

describe("the fields of a close form", () => {
  test.each([
    [[], "the work is done: a message of 40 characters or more and evidence, or neither"],
    [["right"], "nobody will do it: a message of 60 characters or more, or none"],
    [["tab"], "what came of it and how that is known: 40 characters or more, or nothing at all"],
    [["tab", "x"], "what came of it and how that is known: 40 characters or more\n"],
    [["tab", "tab"], "what anybody can look at"],
    [["tab", "tab", "right"], "the commit that has the work: 7 to 40 digits of its hash"],
    [["tab", "tab", "right", "tab"], "the commit that has the work: 7 to 40 digits of its hash"],
    [
      ["right", "right", "tab", "tab", "tab"],
      "the issue that asks for the same: its id, or a part",
    ],
  ])("are each explained in one line, here after the keys %j", (keys, line) => {
    expect(text(closing([]).keys(...keys))).toContain(line);
  });

  test("are read out by a screen reader together with the obstacles", () => {
    const session = closing(children(1));
    const opened = speech({ ...session.state, dialog: undefined }, session.state, "key");
    expect(opened).toContain("an open child: close it first, or give another parent");
    const before = session.state;
    const moved = speech(before, session.keys("tab").state, "key");
    expect(moved.at(-1)).toMatch(/^what came of it and how that is known/);
  });
});
