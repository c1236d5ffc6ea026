import { describe, expect, test } from "vitest";
import { inputLine, keysMeant, speech } from "../../tui/reader/speech.ts";
import { issue, type Session, sample, screen } from "./support.ts";

/** What is said when these keys are pressed, one after the other; the last key's lines. */
function said(session: Session, ...keys: readonly string[]): readonly string[] {
  let lines: readonly string[] = [];
  for (const key of keys) {
    for (const meant of keysMeant(session.state, key)) {
      const before = session.state;
      session.keys(meant);
      lines = speech(before, session.state, "key");
    }
  }
  return lines;
}

const board = (): Session => {
  const session = screen(99, 30);
  session.state = { ...session.state, calm: true, layout: "stacked" };
  return session;
};

describe("on the board", () => {
  test("the first picture is where one is and what one stands on", () => {
    const before = screen(99, 30, []).state;
    const { state } = board();
    expect(speech({ ...before, loading: "nothing" }, state, "issues")).toEqual([
      "Board product, 6 issues of status:open",
      "Row 1 of 6: k007 open Later, waiting",
    ]);
  });

  test("moving says one line", () => {
    expect(said(board(), "j")).toEqual([
      expect.stringMatching(/^Row 2 of 6: k005 open 日本語のタイトル 👩💻 wide, owner bo$/u),
    ]);
    expect(said(board(), "G")).toEqual([
      "Row 6 of 6: k002 open P1 Replay enrollment with same token, blocked, owner claude",
    ]);
  });

  test("a mark is said, and so is a filter", () => {
    expect(said(board(), "space")).toEqual(["1 marked", expect.stringContaining("Row 2 of 6")]);
    expect(said(board(), "space", "k")[0]).toMatch(/Later, waiting, marked$/);
    expect(said(board(), "s")[0]).toBe("Board product, 3 issues of status:ready");
  });

  test("what others change is not said by itself", () => {
    const session = board();
    const before = session.state;
    const issues = sample().map((one) => ({ ...one, title: `${one.title} now` }));
    session.changed(issues);
    expect(speech(before, session.state, "issues")).toEqual([]);
  });
});

describe("an open issue", () => {
  test("is read whole, and what is loaded later is read then", () => {
    const lines = said(board(), "j", "enter");
    expect(lines[0]).toBe("Issue product#k005");
    expect(lines.join("\n")).toContain("日本語のタイトル");
    expect(lines.join("\n")).toContain("Because");
  });

  test("is left by esc, back to its row", () => {
    expect(said(board(), "j", "enter", "esc")).toEqual([
      "Board product, 6 issues of status:open",
      expect.stringContaining("Row 2 of 6"),
    ]);
  });
});

describe("what is asked for", () => {
  test("a form says its fields, and each when it is reached", () => {
    const session = board();
    const lines = said(session, "n");
    expect(lines[0]).toBe("new issue");
    expect(lines).toContain("Title: empty");
    expect(lines.at(-1)).toContain("ctrl+s save");
    session.type("Half");
    expect(inputLine(session.state)).toBe("Title: Half");
    expect(said(session, "tab")).toEqual(["Body: empty"]);
    expect(said(session, "shift+tab")).toEqual(["Title: Half"]);
    expect(said(session, "esc")).toEqual(["esc again to discard what you typed"]);
  });

  test("a wrong form says what is wrong", () => {
    expect(said(board(), "n", "ctrl+s")).toEqual(["error: the title is empty"]);
  });

  test("a choice is said with what else there is", () => {
    expect(said(board(), "X", "right")[0]).toMatch(/^Reason: wontfix, of done wontfix/);
  });

  test("a prompt is a line that is typed", () => {
    const session = board();
    said(session, "a");
    session.type("bo");
    expect(inputLine(session.state)).toMatch(/: bo$/);
  });

  test("questions say what answers them", () => {
    expect(said(board(), "q")).toEqual(["quit?", "y quit, n stay"]);
    expect(said(board(), "!").join(" ")).toContain("0 1 2 3 4 -");
    expect(said(board(), "delete").join(" ")).toContain("y yes, n no");
  });

  test("a menu is numbered, and a number with enter chooses", () => {
    const session = board();
    const lines = said(session, ":");
    expect(lines[1]).toMatch(/^1\. /);
    expect(lines[2]).toMatch(/^2\. /);
    const help = board();
    const rows = said(
      help,
      "?",
      ..."new issue"
        .replace(" ", "_")
        .split("")
        .map((one) => (one === "_" ? "space" : one)),
    );
    const number = rows.findIndex((line) => line.includes("new issue"));
    expect(rows[number]).toMatch(new RegExp(`^${number}\\. `));
    said(help, "enter");
    expect(help.state.sheet).toMatchObject({ sheet: "form" });
  });

  test("a number alone is a line of the list that was said", () => {
    const session = board();
    const lines = said(session, "?");
    const number = lines.findIndex((line) => line.includes("filter as you type"));
    expect(number).toBeGreaterThan(0);
    said(session, ...String(number).split(""), "enter");
    expect(session.state.sheet).toMatchObject({ sheet: "prompt", kind: "filter" });
  });
});

test("an error and what was done are said", () => {
  const session = board();
  const before = session.state;
  session.tell({ type: "failed", text: "the daemon is gone" });
  expect(speech(before, session.state, "failed")).toEqual(["error: the daemon is gone"]);
  const then = session.state;
  session.tell({ type: "live", live: "reconnecting" });
  expect(speech(then, session.state, "live")).toEqual(["reconnecting"]);
  session.tell({ type: "live", live: "live" });
  const live = session.state;
  session.tell({ type: "behind", behind: true });
  expect(speech(live, session.state, "behind")).toEqual(["behind"]);
});

/** What leads to each screen and sheet. */
const PLACES: readonly (readonly string[])[] = [
  ...[["5", "1"], ["2"], ["4"], ["5"], ["6"], ["enter"], ["v"], ["v", "v"]],
  ...[["?"], [":"], ["/"], ["f"], ["n"], ["N"], ["e"], ["X"], ["t"], ["!"], ["delete"], ["a"]],
  ...[["+"], ["p"], ["b"], ["l"], ["m"], ["i"], ["M"], ["@"], ["q"], ["w"], ["3"]],
];

test.each(PLACES)("%s says where it leads, in words alone", (...keys) => {
  const session = board();
  const { sheet } = session.state;
  const lines = said(session, "j", ...keys);
  const input = inputLine(session.state);
  expect([...lines, ...(input === undefined ? [] : [input])].join("")).not.toBe("");
  for (const line of [...lines, input ?? ""]) expect(line).not.toMatch(/\p{Cc}/u);
  expect(sheet).toBeUndefined();
});

test.each([["5"], ["M"]])("on %s moving says one line", (key) => {
  const session = board();
  session.tell({ type: "failed", text: "one" });
  session.tell({ type: "failed", text: "two" });
  expect(said(session, key, "j")).toHaveLength(1);
  expect(said(session, "k")).toHaveLength(1);
});

describe("a question that has to be thought about", () => {
  test("more than twenty are confirmed by their number, which is asked for by name", () => {
    const session = screen(
      99,
      30,
      Array.from({ length: 21 }, (_none, at) => issue(at + 1)),
    );
    session.state = { ...session.state, calm: true, layout: "stacked" };
    const lines = said(session, "g", "space", "G", "V", "delete");
    expect(lines).toContainEqual(expect.stringMatching(/delete 21 issues\?: type 21 to go on/));
    expect(lines.at(-1)).toContain("enter go on");
    expect(said(session, "2")).toEqual([]);
    expect(inputLine(session.state)).toContain("2");
    expect(said(session, "enter").join()).toContain("type 21 to go on, or esc");
  });

  test("two hands on one text are read side by side, and so is what each key does", () => {
    const session = board();
    said(session, "j", "e");
    session.type(" mine");
    const sheet = session.state.sheet;
    if (sheet?.sheet !== "form" || sheet.kind.form !== "edit") throw new Error("a form is open");
    const { uid } = sheet.kind;
    const theirs = { ...issue(5), uid, title: "Theirs now", revision: 2 };
    session.tell({
      ...{ type: "issues", part: "changed", serial: 0, gone: [], truncated: false },
      issues: [theirs],
    });
    const before = session.state;
    session.state = { ...before, sheet: { sheet: "conflict", form: sheet, uid, leaving: false } };
    const lines = speech(before, session.state, "refused").join("\n");
    expect(lines).toContain("was changed while you edited it");
    expect(lines).toMatch(/Title, theirs.*Theirs now/);
    expect(lines).toMatch(/Title, mine.* mine/);
    expect(lines).toContain("o overwrite with mine");
    expect(said(session, "r").join("\n")).toContain("r again discards what you typed");
  });
});
