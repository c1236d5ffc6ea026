import { describe, expect, test } from "vitest";
import type { Version } from "../../src/screen/cron/state.ts";
import type { Message } from "../../src/screen/message.ts";
import { inputLine, keysMeant, speech } from "../../tui/reader/speech.ts";
import { aboutRow } from "../../tui/reader/spoken-screen.ts";
import { JOB, open as openCron } from "./cron-support.ts";
import { issue, type Session, sample, screen } from "./support.ts";

/** Presses these keys one after the other, and returns what the last one makes the reader say. */
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

/** Returns the line that is being typed, with a bar at the cursor unless that is at the end. */
function typed({ state }: Session): string | undefined {
  const line = inputLine(state);
  return line && `${line.before}${line.after === "" ? "" : `|${line.after}`}`;
}

const board = (): Session => {
  const session = screen(99, 30);
  session.state = {
    ...session.state,
    preferences: { ...session.state.preferences, calm: true, layout: "stacked" },
  };
  return session;
};

describe("the screen reader on the board", () => {
  test("announces in the first frame the screen and the row of the cursor", () => {
    const before = screen(99, 30, []).state;
    const { state } = board();
    expect(
      speech({ ...before, loading: { ...before.loading, stage: "nothing" } }, state, "issues"),
    ).toEqual(["Board product, 6 issues of status:open", "Row 1 of 6: k007 open Later, waiting"]);
  });

  test("announces each move of the cursor with one line", () => {
    expect(said(board(), "j")).toEqual([
      expect.stringMatching(/^Row 2 of 6: k005 open 日本語のタイトル 👩💻 wide, owner bo$/u),
    ]);
    expect(said(board(), "G")).toEqual([
      "Row 6 of 6: k002 open P1 Replay enrollment with same token, blocked, owner claude",
    ]);
  });

  test("announces a new mark and a new filter", () => {
    expect(said(board(), "space")).toEqual(["1 marked", expect.stringContaining("Row 2 of 6")]);
    expect(said(board(), "space", "k")[0]).toMatch(/Later, waiting, marked$/);
    expect(said(board(), "s")[0]).toBe("Board product, 3 issues of status:ready");
  });

  test("does not announce by itself what others change", () => {
    const session = board();
    const before = session.state;
    const issues = sample().map((one) => ({ ...one, title: `${one.title} now` }));
    session.changed(issues);
    expect(speech(before, session.state, "issues")).toEqual([]);
  });
});

describe("the screen reader on an open issue", () => {
  test("reads the whole issue, and later its parts when they are loaded", () => {
    const lines = said(board(), "j", "enter");
    expect(lines[0]).toBe("Issue product#k005");
    expect(lines.join("\n")).toContain("日本語のタイトル");
    expect(lines.join("\n")).toContain("Because");
  });

  test("announces the row of the issue again after esc", () => {
    expect(said(board(), "j", "enter", "esc")).toEqual([
      "Board product, 6 issues of status:open",
      expect.stringContaining("Row 2 of 6"),
    ]);
  });
});

describe("the screen reader in inputs", () => {
  test("announces the fields of a form, and each when it is reached", () => {
    const session = board();
    const lines = said(session, "n");
    expect(lines[0]).toBe("new issue");
    expect(lines).toContain("Title: empty");
    expect(lines.at(-1)).toContain("ctrl+s save");
    session.type("Half");
    expect(typed(session)).toBe("Title: Half");
    expect(said(session, "tab")).toEqual(["Body: empty"]);
    expect(said(session, "shift+tab")).toEqual(["Title: Half"]);
    expect(said(session, "esc")).toEqual(["esc again to discard what you typed"]);
  });

  test("announces what is wrong in a form", () => {
    expect(said(board(), "n", "ctrl+s")).toEqual(["error: the title is empty"]);
  });

  test("announces the current line and position in a text of several lines", () => {
    const session = board();
    said(session, "n", "tab");
    session.type("one").keys("enter").type("two");
    expect(typed(session)).toBe("Body: two");
    said(session, "left", "left");
    expect(typed(session)).toBe("Body: t|wo");
    said(session, "up", "end");
    expect(typed(session)).toBe("Body: one");
    said(session, "home", "delete");
    expect(typed(session)).toBe("Body: |ne");
  });

  test("announces a choice with its alternatives", () => {
    expect(said(board(), "X", "right")[0]).toMatch(/^Reason: wontfix, of done wontfix/);
  });

  test("announces a prompt as a line to type", () => {
    const session = board();
    said(session, "a");
    session.type("bo");
    expect(typed(session)).toMatch(/: bo$/);
  });

  test("announces a column that is hidden or shown, and the list stays open", () => {
    const session = board();
    said(session, "|", "down");
    expect(said(session, "enter")).toEqual(["age, hidden"]);
    expect(said(session, "enter")).toEqual(["age, shown"]);
  });

  test("announces questions with their answers", () => {
    expect(said(board(), "q")).toEqual(["quit?", "y quit, n stay"]);
    expect(said(board(), "!").join(" ")).toContain("0 1 2 3 4 -");
    expect(said(board(), "delete").join(" ")).toContain("y yes, n no");
  });

  test("numbers the lines of a menu, and a number with enter chooses a line", () => {
    const session = board();
    const lines = said(session, ":");
    expect(lines[0]).toBe("commands");
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
    expect(help.state.dialog).toMatchObject({ dialog: "form" });
  });

  test("takes a number as the line of that number in the list that was read out", () => {
    const session = board();
    const lines = said(session, "?");
    const number = lines.findIndex((line) => line.includes("filter as you type"));
    expect(number).toBeGreaterThan(0);
    said(session, ...String(number).split(""), "enter");
    expect(session.state.dialog).toMatchObject({ dialog: "prompt", kind: "filter" });
  });
});

test("the screen reader announces an error and a finished change", () => {
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

/** The keys that lead to each screen and dialog. */
const PLACES: readonly (readonly string[])[] = [
  ...[["5", "1"], ["2"], ["4"], ["5"], ["6"], ["enter"], ["v"], ["v", "v"]],
  ...[["?"], [":"], ["/"], ["f"], ["n"], ["N"], ["e"], ["X"], ["t"], ["!"], ["delete"], ["a"]],
  ...[["+"], ["p"], ["b"], ["l"], ["m"], ["i"], ["M"], ["@"], ["q"], ["w"], ["3"]],
];

test.each(PLACES)("the key %s announces where it leads, in words alone", (...keys) => {
  const session = board();
  const { dialog } = session.state;
  const lines = said(session, "j", ...keys);
  const input = typed(session);
  expect([...lines, ...(input === undefined ? [] : [input])].join("")).not.toBe("");
  for (const line of [...lines, input ?? ""]) expect(line).not.toMatch(/\p{Cc}/u);
  expect(dialog).toBeUndefined();
});

test.each([["5"], ["M"]])(
  "a move on the screen of the key %s is announced with one line",
  (key) => {
    const session = board();
    session.tell({ type: "failed", text: "one" });
    session.tell({ type: "failed", text: "two" });
    expect(said(session, key, "j")).toHaveLength(1);
    expect(said(session, "k")).toHaveLength(1);
  },
);

describe("the screen reader at a question with consequences", () => {
  test("asks for the number of issues if more than twenty would be changed", () => {
    const session = screen(
      99,
      30,
      Array.from({ length: 21 }, (_none, at) => issue(at + 1)),
    );
    session.state = {
      ...session.state,
      preferences: { ...session.state.preferences, calm: true, layout: "stacked" },
    };
    const lines = said(session, "g", "space", "G", "V", "delete");
    expect(lines).toContain("delete 21 issues?");
    expect(typed(session)).toBe("type 21 to go on: ");
    expect(lines.at(-1)).toContain("enter go on");
    expect(said(session, "2")).toEqual([]);
    expect(typed(session)).toBe("type 21 to go on: 2");
    expect(said(session, "enter").join()).toContain("type 21 to go on, or esc");
  });

  test("reads two edits of one text side by side, and what each key does", () => {
    const session = board();
    said(session, "j", "e");
    session.type(" mine");
    const dialog = session.state.dialog;
    if (dialog?.dialog !== "form" || dialog.kind.form !== "edit") throw new Error("a form is open");
    const { uid } = dialog.kind;
    const theirs = { ...issue(5), uid, title: "Theirs now", revision: 2 };
    session.tell({
      ...{ type: "issues", part: "changed", serial: 0, gone: [], truncated: false },
      issues: [theirs],
    });
    const before = session.state;
    session.state = {
      ...before,
      dialog: { dialog: "conflict", form: dialog, uid, leaving: false },
    };
    const lines = speech(before, session.state, "refused").join("\n");
    expect(lines).toContain("was changed while you edited it");
    expect(lines).toMatch(/Title, theirs.*Theirs now/);
    expect(lines).toMatch(/Title, mine.* mine/);
    expect(lines).toContain("o overwrite with mine");
    const again = told(session, {
      ...{ type: "issues", part: "changed", serial: 0, gone: [], truncated: false },
      issues: [{ ...theirs, title: "Theirs at last", revision: 3 }],
    });
    expect(again.join("\n")).toMatch(/Title, theirs.*Theirs at last/);
    expect(said(session, "r").join("\n")).toContain("r again discards what you typed");
  });
});

/** Returns what the reader says after this message. */
function told(session: Session, message: Message): readonly string[] {
  const before = session.state;
  session.tell(message);
  return speech(before, session.state, message.type);
}

describe("the screen reader and the filter of a list", () => {
  test.each([
    ["enter", /^Board product, 1 issue of .*409/, "k003"],
    ["esc", /^Board product, 6 issues of status:open$/, "k00"],
  ])("announces the list when the filter is left with %s", (key, heading, row) => {
    const session = board();
    said(session, "/");
    session.type("409");
    const lines = said(session, key);
    expect(lines[0]).toMatch(heading);
    expect(lines.at(-1)).toContain(row);
  });

  test("announces the filter of the fleet", () => {
    const session = board().keys("6");
    told(session, {
      ...{ type: "fleet", project_id: 1 },
      fleet: { rows: [holder("bo"), holder("claude")], truncated: false, error: undefined },
    });
    said(session, "/");
    session.type("bo");
    expect(said(session, "enter")[0]).toBe("Fleet, 1 at work, filter bo");
    expect(said(session, "c")[0]).toBe("Fleet, 2 at work");
  });
});

function holder(name: string) {
  const { uid, project_id, short_id: ref, qualified_id, title } = issue(3);
  const at = { uid, project_id, ref, name: qualified_id };
  const since = "2026-11-21T09:00:00.000Z";
  const last = { kind: "issue.commented", at: since, uid };
  return {
    at,
    title,
    status: "open" as const,
    holder: name,
    owner: name,
    since,
    lease: undefined,
    last,
  };
}

test("the screen reader announces the current row when a question is left", () => {
  expect(said(board(), "a", "esc")).toEqual(["Row 1 of 6: k007 open Later, waiting"]);
});

const VERSION: Version = {
  ...{ kind: "job", uid: JOB, event: "01JEVENT000000000000000000", name: "nightly-triage" },
  ...{ actor: "bo", at: "2026-11-20T10:00:00.000Z", isCurrent: true, differs: [] },
  text: '{\n  "timezone": "Europe/Paris"\n}',
};

describe("the screen reader describes a row in words", () => {
  test.each([
    [{}, "bo, silent, last heard of 1h ago, product#k003 Issue number 3, no lease"],
    [{ last: undefined }, "bo, silent, never heard of, product#k003 Issue number 3, no lease"],
    [{ lease: lease("2026-11-21T10:12:00.000Z") }, "leased for 12m more"],
    [{ lease: lease(undefined) }, "leased until it is released"],
    [{ lease: lease("2026-11-21T10:00:00.000Z") }, "the lease ran out"],
  ])("the screen reader describes a holder in words: %j", (more, text) => {
    const session = board().keys("6");
    const rows = [{ ...holder("bo"), ...more }];
    const lines = told(session, { type: "fleet", project_id: 1, fleet: { rows } });
    expect(lines.at(-1)).toContain(text);
  });

  test("the screen reader describes a project in words", () => {
    expect(said(board(), "5").at(-1)).toBe("product, 6 open, 1 closed");
    expect(said(board(), "5", "k").at(-1)).toBe("All projects");
  });
});

function lease(expires_at: string | undefined) {
  return { expires_at, fence: 1, purpose: "" };
}

test("the screen reader announces whose graph is shown, and how much of it", () => {
  const session = board();
  expect(said(session, "3")[0]).toBe("graph product#k007, depth full, done hidden");
  expect(said(session, "H")[0]).toBe("graph product#k007, depth full, done shown");
});

describe("the screen reader among jobs and runs", () => {
  test("names each tab, and its content", () => {
    const session = openCron();
    expect(said(session, "tab")[0]).toBe("Cron product, jobs");
    expect(said(session, "tab")[0]).toBe("Cron product, workflows");
    const none = told(session, {
      ...{ type: "cron", project_id: 1, tab: "workflows" },
      cron: { workflows: [] },
    });
    expect(none.join(" ")).toContain("no workflow yet");
  });

  test("reads a definition whole when it arrives", () => {
    const session = openCron();
    said(session, "tab");
    expect(said(session, "d")[0]).toBe("Definition, nightly-triage");
    const { page } = session.state.cron;
    const lines = told(session, { type: "versions", of: page?.of ?? "", versions: [VERSION] });
    expect(lines.join("\n")).toContain("Europe/Paris");
    expect(said(session, "esc")[0]).toBe("Cron product, jobs");
  });
});

describe("the screen reader's details of a row", () => {
  test("the details of a run are its record", () => {
    expect(aboutRow(openCron().state).join("\n")).toMatch(
      /status succeeded.*tokens in\/out 81k\/400/,
    );
  });

  test("the details of a holder are what they hold and what they did last", () => {
    const session = board().keys("6");
    session.tell({ type: "fleet", project_id: 1, fleet: { rows: [holder("bo")] } });
    expect(aboutRow(session.state)).toEqual([
      "product#k003, Issue number 3",
      "bo has owned it for 1h and does not lease it",
      "last heard of 1h ago: commented product#k003",
    ]);
  });

  test("the details of any other row are the row itself", () => {
    expect(aboutRow(board().state)).toEqual(["Row 1 of 6: k007 open Later, waiting"]);
    expect(aboutRow(screen(99, 30, []).state)).toEqual(["nothing is selected"]);
  });
});
