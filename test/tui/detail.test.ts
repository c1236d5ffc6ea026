import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { chosenIssue } from "../../src/screen/detail/detail.ts";
import type { DetailPart, IssueEvent } from "../../src/screen/detail/state.ts";
import type { LiveEvent } from "../../src/screen/message.ts";
import { bodyLines } from "../../tui/document/body.ts";
import { placeOfCursor } from "../../tui/screens/cursor.ts";
import { frame } from "../../tui/screens/frame.ts";
import { CURSOR_END, CURSOR_START, painter } from "../../tui/style.ts";
import { cells, clean } from "../../tui/text.ts";
import { golden } from "../support/golden.ts";
import { picture, text } from "./picture.ts";
import { issue, liveEvent, NOW, Session, screen } from "./support.ts";

const BODY = `Rotation must revoke all active grants for the spoke and project and install
the replacement in **one** transaction, see #k004 and \`svc sync\`.

## Done when

- exact retry returns the same active enrollment
- a stale token answers [409](https://example.org/409)

\`\`\`
svc sync rotate --all
\`\`\``;

const rotate = issue(1, {
  title: "Federation rotate",
  priority: 1,
  owner: "claude",
  labels: ["federation"],
  parent: issue(4).uid,
  blocked_by: [issue(2).uid],
  blocked: true,
  child_counts: { open: 1, total: 2 },
  metadata: {
    scheduled_on: "2026-11-24",
    timezone: "Europe/Paris",
    "notify.Ym8": { from: "a", message: "?" },
  },
  revision: 14,
  body: BODY,
});
const others = [
  issue(2, { title: "Replay enrollment with same token" }),
  issue(3, {
    title: "409 body for token conflict",
    status: "closed",
    parent: rotate.uid,
    owner: "codex",
  }),
  issue(4, { title: "Daemon exits when its socket path is long", priority: 0 }),
  issue(5, { title: "Keep the old grant readable", parent: rotate.uid, priority: 2 }),
];

const peer = ({ uid, short_id, qualified_id }: ReturnType<typeof issue>) => {
  return { uid, short_id, qualified_id, project: qualified_id.split("#")[0] ?? "" };
};
const foreign = issue(9, { title: "Retry budget", qualified_id: "infra#k009", project_id: 2 });

function link(
  id: number,
  type: "blocks" | "parent" | "related",
  from: ReturnType<typeof issue>,
  to: ReturnType<typeof issue>,
) {
  return { id, type, from: peer(from), to: peer(to), author: "ana", created_at: NOW };
}

const wire = (one: ReturnType<typeof issue>) => ({
  ...one,
  id: 1,
  labels: [...one.labels],
  parent: undefined,
  blocks: [],
  blocked_by: [],
  related: [],
  deleted_at: undefined,
  recurrence_uid: undefined,
});

const event = (number: number, type: string, payload: object, actor = "claude"): IssueEvent =>
  ({
    event_id: number,
    event_uid: `01JEVENT${number}`,
    type,
    actor,
    payload,
    created_at: "2026-11-21T09:00:00.000Z",
  }) as unknown as IssueEvent;

const read: DetailPart = {
  show: {
    issue: wire(rotate),
    comments: [
      {
        id: 1,
        uid: "01JC1",
        issue_id: 1,
        author: "claude",
        body: "reproduced with two spokes; the second rotate loses the grant",
        created_at: "2026-11-21T06:00:00.000Z",
      },
      {
        id: 2,
        uid: "01JC2",
        issue_id: 1,
        author: "ana",
        body: "keep the identity resolution before the comparison\n\n- see #k005",
        created_at: "2026-11-21T09:00:00.000Z",
      },
    ],
    links: [
      link(1, "parent", rotate, others[2] as never),
      link(2, "blocks", others[0] as never, rotate),
      link(3, "related", rotate, foreign),
    ],
    labels: [],
    parent: { ...peer(others[2] as never), title: "Daemon exits", status: "open" },
    children: [wire(others[1] as never), wire(others[3] as never)],
    lease: {
      claim_uid: "01JL",
      project_id: 1,
      issue_uid: rotate.uid,
      holder: "claude",
      holder_instance_uid: "01JI",
      client_kind: "cli",
      purpose: "",
      claim_kind: "timed",
      fence: 1,
      acquired_at: NOW,
      expires_at: "2026-11-21T10:12:00.000Z",
      revision: 1,
      updated_at: NOW,
    },
  },
  events: [
    event(1, "issue.created", { title: "Federation rotate" }, "ana"),
    event(2, "issue.labeled", { label: "federation" }),
    event(3, "issue.closed", {
      reason: "done",
      message: "It rotates.",
      evidence: [{ type: "commit", sha: "abc123" }],
    }),
    event(4, "issue.reopened", {}),
  ],
  peers: [foreign],
};

/** A screen with the cursor on the issue, whose detail was read. */
function chosen(columns: number, rows: number, part: DetailPart = read): Session {
  const session = screen(columns, rows, [rotate, ...others]).keys("v");
  while (session.cursor !== rotate.short_id) session.keys("j");
  session.tell({ type: "detail", uid: rotate.uid, detail: part });
  return session;
}

/** The same with the issue over the whole screen. */
function open(columns: number, rows: number, part: DetailPart = read): Session {
  return chosen(columns, rows, part).keys(...(columns < 120 ? ["enter"] : ["L", "enter", "L"]));
}

const section = (session: Session, name: string): Session => {
  for (let tries = 0; tries < 5 && session.state.detail.section !== name; tries++)
    session.keys("tab");
  return session;
};

test.each([
  ["open-issue", open, 80, 24],
  ["open-issue", open, 60, 15],
  ["issue-beside-the-list", chosen, 160, 50],
] as const)("a picture matches its golden file: %s", (name, show, columns, rows) => {
  const session = show(columns, rows);
  const file = `test/golden/tui/${name}-${columns}x${rows}.txt`;
  expect(text(session)).toBe(golden(file, text(session)));
});

/** Whether a line equals this one, or matches, including its margin. */
const shows = (session: Session, line: string | RegExp): boolean =>
  picture(session).some((seen) => (typeof line === "string" ? seen === line : line.test(seen)));

test.each([
  ["2026-11-21T10:11:59.000Z", "leased to claude, 1s left"],
  ["2026-11-21T10:12:00.000Z", "leased to claude, it ran out"],
])("at %s a lease until 10:12 is shown as %s", (now, said) => {
  const session = open(80, 24);
  session.state = { ...session.state, now };
  expect(text(session)).toContain(` ${said}   `);
});

const SUMS = { runs: 7, succeeded: 6, failed: 1, input_tokens: 120_400, output_tokens: 812 };
const NO_SUMS = { runs: 1, succeeded: 0, failed: 0, input_tokens: 0, output_tokens: 0, seconds: 0 };

test.each([
  [{ ...SUMS, seconds: 7300.5 }, "runs 7, 1 failed, 120k/812 tokens in/out, 2h"],
  [NO_SUMS, "runs 1"],
])("an issue shows what its runs %j have cost", (runs, said) => {
  expect(text(open(80, 24, { ...read, runs })).replaceAll(/\s+/g, " ")).toContain(` ${said} `);
});

test.each([
  [{}, "scheduled -   deadline -   "],
  [{ timezone: "Asia/Tokyo" }, "scheduled -   deadline -   "],
  [{ scheduled_on: "2026-11-24" }, "scheduled 2026-11-24   deadline -   "],
  [
    { deadline_on: "2026-11-30", timezone: "Asia/Tokyo" },
    "scheduled -   deadline 2026-11-30 (Asia/Tokyo)   ",
  ],
])("an issue with %j shows its dates, each in its zone", (metadata, said) => {
  const session = screen(120, 30, [issue(1, { metadata })]).keys("L", "enter");
  expect(text(session)).toContain(`\n ${said}`);
});

describe("the sections of an issue", () => {
  test("describe events in words, a close with its message and evidence, the newest first", () => {
    const session = section(open(80, 40), "Events");
    const lines = picture(session);
    const at = lines.findIndex((line) => line.includes("[Events 4]"));
    expect(lines.slice(at + 1, at + 6)).toEqual([
      "   1h  claude       reopened it",
      "   1h  claude       closed it (done): It rotates., evidence commit:abc123",
      "                    - commit sha abc123",
      "   1h  claude       +label federation",
      "   1h  ana          created it: Federation rotate",
    ]);
  });

  test("name the winning change beside a change of another daemon that was overwritten", () => {
    const lost = event(5, "issue.priority_cleared", {});
    const at = "2026-11-20T09:02:00.000Z";
    const overwritten_by = { event_uid: "01JE6", actor: "ana", at };
    const events = [...(read.events ?? []), { ...lost, overwritten_by }];
    const lines = picture(section(open(80, 40, { ...read, events }), "Events"));
    const first = lines.findIndex((line) => line.includes("[Events 5]")) + 1;
    expect(lines.slice(first, first + 2)).toEqual([
      "   1h  claude       took the priority away",
      expect.stringMatching(/^ {20}overwritten by ana, 2026-11-20 \d\d:02$/),
    ]);
  });

  test("name each link and each child with state and title, also those of other projects", () => {
    const session = section(open(80, 40), "Links");
    expect(
      shows(session, ">parent     w #k004            Daemon exits when its socket path is long"),
    ).toBe(true);
    expect(shows(session, " blocked by o #k002            Replay enrollment with same token")).toBe(
      true,
    );
    expect(shows(session, " related    o infra#k009       Retry budget")).toBe(true);
    section(session, "Children");
    expect(shows(session, /^>x #k003 +409 body for token conflict +codex +23h$/)).toBe(true);
    expect(shows(session, /^ w #k005 +P2 Keep the old grant readable +23h$/)).toBe(true);
  });

  test.each([80, 160])("show when a comment was edited, %i columns wide", (columns) => {
    const edit = event(5, "issue.comment_edited", { comment_uid: "01JC1", body: "reproduced" });
    const comments = (part: DetailPart): Session => section(open(columns, 40, part), "Comments");
    const edited = comments({ ...read, events: [...(read.events ?? []), edit] });
    const line = /^ +edited (just now|\d+[mhd] ago)$/gm;
    expect(text(edited).match(line)).toHaveLength(1);
    expect(text(comments(read))).not.toMatch(line);
  });

  test("each say that they are still loading, or why they cannot be loaded", () => {
    const part = { ...read, events: undefined, peers: undefined };
    expect(shows(section(open(80, 40, part), "Events"), " loading...")).toBe(true);
    const broken = { ...part, eventsError: "the log is locked", peersError: "no answer" };
    expect(shows(section(open(80, 40, broken), "Events"), " the log is locked")).toBe(true);
    expect(shows(section(open(80, 40, broken), "Links"), /infra#k009 +no answer/)).toBe(true);
    expect(shows(section(open(80, 40, broken), "Comments"), /reproduced with two spokes/)).toBe(
      true,
    );
    const nothing = { error: "no daemon is running" };
    expect(shows(section(open(80, 40, nothing), "Comments"), " no daemon is running")).toBe(true);
    expect(shows(open(80, 40, nothing), /^ product#k001 {2}Federation rotate/)).toBe(true);
    // What was read before stays below the error.
    const again = section(open(80, 40, { ...read, ...nothing }), "Comments");
    expect(shows(again, " no daemon is running")).toBe(true);
    expect(shows(again, /reproduced with two spokes/)).toBe(true);
  });

  test.each([
    [{ ...read.show, comments: [] }, "Comments", " no comments"],
    [{ ...read.show, links: [] }, "Links", " no links"],
    [{ ...read.show, children: [] }, "Children", " no children"],
  ])("each say that they are empty (%#)", (show, name, said) => {
    expect(shows(section(open(80, 40, { ...read, show } as DetailPart), name), said)).toBe(true);
  });
});

describe("issues mentioned in a text", () => {
  const uidOf = (number: number) => issue(number).uid;

  test("can be selected one after the other, in the text and in the section, and opened", () => {
    const session = section(open(80, 40), "Links");
    expect(chosenIssue(session.state)).toBe(uidOf(4));
    expect(chosenIssue(session.keys("j").state)).toBe(uidOf(2));
    expect(chosenIssue(session.keys("k", "k").state)).toBe(uidOf(4));
    // From top to bottom: the parent and the blocker above the text, then the issues that the text names.
    const inText = open(80, 40);
    const lines = [1, 2, 3].map(() => {
      const line = picture(inText.keys("j")).find((seen) => seen.startsWith(">")) ?? "";
      return [chosenIssue(inText.state), line.slice(0, 13)];
    });
    expect(lines).toEqual([
      [uidOf(4), ">owner claude"],
      [uidOf(2), ">scheduled 20"],
      [uidOf(4), ">the replacem"],
    ]);
    inText.keys("enter");
    expect(shows(inText, /^ product#k004 {2}Daemon exits/)).toBe(true);
    expect(inText.effects).toContainEqual(
      expect.objectContaining({ effect: "load-detail", uid: uidOf(4), now: true }),
    );
  });

  test.each(["dark", "none"] as const)(
    "are marked when selected, with colours and without: %s",
    (mode) => {
      const session = open(80, 24).keys("j", "j", "j");
      const lines = frame(session.state, painter(mode));
      const at = lines.findIndex((line) => stripVTControlCharacters(line).startsWith(">"));
      expect(lines[at]).toContain(`${CURSOR_START}#k004${CURSOR_END}`);
      const x = "Xthe replacement in one transaction, see ".length;
      expect(placeOfCursor(session.state, lines)).toEqual({ x, y: at });
      expect(frame(open(80, 24).state, painter(mode)).join("")).not.toContain(CURSOR_END);
    },
  );

  test("lead back the way the person came, to the line that was left", () => {
    const session = section(open(80, 24), "Links");
    const before = picture(session);
    session.keys("enter");
    session.tell({ type: "detail", uid: uidOf(4), detail: { ...read, show: undefined } });
    session.keys("backspace");
    expect(picture(session)).toEqual(before);
    session.keys("esc");
    expect(session.state.detail.open).toEqual([]);
  });

  test("may lead in a circle, and each step back undoes one step forward", () => {
    const session = section(open(80, 40), "Links").keys("enter");
    const back = link(9, "parent", rotate, issue(4));
    const show = { ...read.show, issue: wire(issue(4)), links: [back] };
    session.tell({ type: "detail", uid: uidOf(4), detail: { ...read, show } as DetailPart });
    section(session, "Links").keys("enter");
    expect(session.state.detail.open).toEqual([uidOf(1), uidOf(4), uidOf(1)]);
    expect(session.keys("esc").state.detail.open).toEqual([uidOf(1), uidOf(4)]);
    expect(session.keys("esc", "esc").state.detail.open).toEqual([]);
  });

  test("are not opened if none is selected, and a message says so", () => {
    const session = open(80, 24).keys("g", "enter");
    expect(session.state.messages.notice?.text).toContain("no issue is chosen");
    const none = screen(80, 24, [issue(1)]).keys("enter");
    expect(none.keys("enter").state.messages.notice?.text).toBe("it names no other issue");
  });
});

describe("a text that is longer than the screen", () => {
  const long = {
    ...rotate,
    body: Array.from({ length: 60 }, (_none, at) => `line ${at + 1}`).join("\n"),
  };
  const part = { ...read, show: { ...read.show, issue: wire(long) } } as DetailPart;

  test("is scrolled to its end and not beyond, and shows the position", () => {
    const session = open(80, 24, part);
    expect(picture(session)[22]).toContain("lines 1-20 of ");
    session.keys("G");
    const end = picture(session).slice(0, 23);
    expect(end[22]).toMatch(/lines (\d+)-(\d+) of \2$/);
    const besideMargin = (lines: readonly string[]) =>
      lines.slice(0, 23).map((line) => line.slice(1));
    expect(besideMargin(picture(session.keys("j", "pgdn", "pgdn")))).toEqual(besideMargin(end));
    session.keys("k", "k");
    expect(picture(session).slice(0, 23)).not.toEqual(end);
    expect(picture(session.keys("g"))[22]).toContain("lines 1-20 of ");
  });

  test("starts at its top when its issue is shown beside another list", () => {
    const session = chosen(160, 50, part).keys("tab", "G");
    expect(session.state.detail.scroll).toBeGreaterThan(0);
    const { uid } = rotate;
    const elsewhere = (...keys: readonly string[]): number =>
      new Session(session.state).keys(...keys).state.detail.scroll;
    expect(["2", "3", "4", "5", "6"].map((key) => elsewhere(key))).toEqual([0, 0, 0, 0, 0]);
    const gone = new Session(session.state);
    gone.changed([], [uid]);
    expect(gone.cursor).not.toBe(rotate.short_id);
    expect(gone.state.detail.scroll).toBe(0);
    const resized = new Session(session.state);
    resized.tell({ type: "resize", columns: 60, rows: 20 });
    resized.tell({ type: "resize", columns: 160, rows: 50 });
    expect(resized.state.detail.scroll).toBe(session.state.detail.scroll);
  });

  test("is closed when its issue is deleted, and the list from which it was opened gets the keys", () => {
    const session = open(80, 24, part).keys("G", "delete", "y");
    expect(session.state.window.focus).toBe("detail");
    session.tell({ type: "written", id: session.state.writes.sent[0]?.id ?? 0, issue: undefined });
    expect(session.state).toMatchObject({
      detail: { open: [], scroll: 0 },
      window: { focus: "list" },
    });
  });

  test("shows the section that tab moves to", () => {
    const session = section(open(80, 24, part), "Children");
    expect(shows(session, /\[Children 2\]/)).toBe(true);
    expect(shows(session, /409 body for token conflict/)).toBe(true);
  });
});

test("ctrl+t shows texts as they were written", () => {
  const session = open(80, 40);
  expect(shows(session, "  - a stale token answers 409 (https://example.org/409)")).toBe(true);
  session.keys("ctrl+t");
  expect(shows(session, " - a stale token answers [409](https://example.org/409)")).toBe(true);
  expect(shows(session, " \u0060\u0060\u0060")).toBe(true);
  expect(
    shows(session.keys("ctrl+t"), "  - a stale token answers 409 (https://example.org/409)"),
  ).toBe(true);
});

describe("preformatted text", () => {
  const withBody = (columns: number, body: string): Session => {
    const show = { ...read.show, issue: wire({ ...rotate, body }) };
    return open(columns, 30, { ...read, show } as DetailPart);
  };
  const wide = (start: string): string => start + "=".repeat(90 - start.length);

  test.each([
    [
      "code in fences",
      `\u0060\u0060\u0060\n${wide("a ")}\n\u0060\u0060\u0060`,
      wide("    a ").slice(0, 78),
    ],
    ["code by its indent", `Text:\n\n    ${wide("a ")}`, wide("    a ").slice(0, 78)],
    ["tables", wide("| a | b "), wide("| a | b ").slice(0, 78)],
    ["drawings", wide("\u251C\u2500\u2500 src "), wide("\u251C\u2500\u2500 src ").slice(0, 78)],
  ])("is cut and not wrapped: %s", (_what, body, cut) => {
    const session = withBody(80, body);
    expect(shows(session, ` ${cut}~`)).toBe(true);
    expect(picture(session).at(-2)).toContain("ctrl+t shows the lines that are cut in full");
    session.keys("ctrl+t");
    expect(picture(session).join("").replaceAll(/ +/g, "")).toContain("=".repeat(70));
    expect(picture(session).at(-2)).not.toContain("ctrl+t");
  });

  test("uses the whole width of a wide screen, although prose does not", () => {
    const long = "=".repeat(120);
    const words = "word ".repeat(30).trim();
    const session = withBody(130, `    ${long}\n\n${words}`);
    expect(shows(session, `     ${long}`)).toBe(true);
    expect(shows(session, ` ${"word ".repeat(19).trim()}`)).toBe(true);
    expect(picture(session).at(-2)).not.toContain("ctrl+t");
  });

  test("is not assumed for a line that fits, nor for prose with a single bar in it", () => {
    const fits = "\u2502".repeat(79);
    expect(shows(withBody(80, fits), ` ${fits}`)).toBe(true);
    const prose = `a | ${"word ".repeat(20).trim()}`;
    expect(shows(withBody(80, prose), /^ a \| word .*word$/)).toBe(true);
  });
});

describe("lines that were wrapped by hand", () => {
  const linesOf = (width: number, body: string): readonly string[] => {
    const options = { raw: false, ref: () => undefined, room: width };
    return bodyLines(body, width, options).map((line) =>
      line
        .map(({ text: part }) => part)
        .join("")
        .trimEnd(),
    );
  };
  // Each line is as long as a page of 70 columns allows.
  const full = (letter: string): string => `${letter} ${"word ".repeat(13)}now`;
  const page = `${full("a")}\n${full("b")}\nlast words`;

  test("are joined if the page is narrower, and stay otherwise", () => {
    expect(cells(full("a"))).toBe(70);
    expect(linesOf(70, page)).toEqual([full("a"), full("b"), "last words"]);
    expect(linesOf(50, page)).toEqual([
      "a word word word word word word word word word",
      "word word word word now b word word word word word",
      "word word word word word word word word now last",
      "words",
    ]);
  });

  test.each([
    ["a line that ends early keeps its break", `${full("a")}\nshort\nand on`, ["and on"]],
    [
      "lines shorter than the narrowest page keep their breaks",
      `Key: ${"v".repeat(48)}\nOther: value`,
      ["Other: value"],
    ],
    [
      "lines that fill the narrowest page are joined",
      `Key: ${"v".repeat(49)}\nOther: value`,
      ["v Other: value"],
    ],
    ["a line longer than any page keeps its break", `${full("a")} ${full("b")}\nnext`, ["next"]],
    ["list items stay apart", `- ${full("a")}\n- b`, [" - b"]],
    ["a line with another indent stays apart", `${full("a")}\n  deeper`, ["  deeper"]],
    ["a line of a drawing stays apart", `${full("a")}\n\u2514\u2500 b`, ["\u2514\u2500 b"]],
  ])(
    "line breaks are removed only where the width of the page explains them: %s",
    (_what, body, end) => {
      expect(linesOf(48, body).slice(-end.length)).toEqual(end);
    },
  );

  test("are joined below the text of their list item", () => {
    expect(linesOf(48, `- ${full("a")}\n  and on`)).toEqual([
      " - a word word word word word word word word",
      "   word word word word word now and on",
    ]);
  });
});

describe("an open issue that is no longer on the board", () => {
  const gone = (more: object): Session => {
    const session = open(80, 24);
    const issues = { serial: 0, part: "changed", issues: [], truncated: false } as const;
    session.tell({ type: "issues", ...issues, gone: [rotate.uid] });
    const show = { ...read.show, issue: { ...wire(rotate), ...more } } as DetailPart["show"];
    session.tell({ type: "detail", uid: rotate.uid, detail: { show } });
    return session;
  };
  const says = (session: Session): string | undefined =>
    session.keys("c").state.messages.notice?.text;

  test.each([
    [
      "deleted",
      { deleted_at: NOW },
      "product#k001 is deleted: :restore product#k001 brings it back",
    ],
    [
      "moved",
      { project_id: 2, qualified_id: "infra#k002" },
      "infra#k002 is of another project: 5 goes to infra",
    ],
    ["there, and not read yet", {}, "this issue is not loaded here"],
  ])("says why it cannot be changed: it was %s", (_what, more, text) => {
    expect(says(gone(more))).toBe(text);
  });
});

describe("a change by somebody else", () => {
  const change = (more: Partial<LiveEvent> = {}): LiveEvent =>
    liveEvent({ uid: rotate.uid, uids: [rotate.uid], ...more });
  const last = (session: Session): string => picture(session).at(-2) ?? "";

  test("is shown while its issue is open, for a minute, and the issue is read again", () => {
    const session = open(80, 24);
    const effects = session.tell({ type: "events", events: [change()] });
    expect(last(session)).toContain("! changed by claude: +label federation");
    expect(effects).toContainEqual(
      expect.objectContaining({ effect: "load-detail", uid: rotate.uid }),
    );
    session.state = { ...session.state, now: "2026-11-21T10:00:59.000Z" };
    expect(last(session.keys("j"))).toContain("changed by claude");
    session.state = { ...session.state, now: "2026-11-21T10:01:00.000Z" };
    session.tell({ type: "tick" });
    expect(last(session)).not.toContain("changed by");
  });

  test.each([
    ["our own", change({ actor: "ana" })],
    ["that of another issue", change({ uid: issue(2).uid })],
  ])("is not shown if it is %s", (_name, event) => {
    const session = open(80, 24);
    session.tell({ type: "events", events: [event] });
    expect(last(session)).not.toContain("changed by");
  });
});

test("data from the daemon leaves no control characters on the screen", () => {
  const evil = "\u001B[31mred\u0007\u202E";
  const bad = {
    ...rotate,
    title: evil,
    body: `${evil}\n- ${evil}\n> ${evil}`,
    owner: evil,
    labels: [evil],
  };
  const part = { ...read, show: { ...read.show, issue: wire(bad) } } as DetailPart;
  const session = screen(80, 24, [bad]).keys("enter");
  session.tell({ type: "detail", uid: bad.uid, detail: part });
  for (const line of picture(session)) expect(clean(line)).toBe(line);
});

test("a closed issue shows who closed it, with which message and evidence", () => {
  const closed = issue(1, { title: "Federation rotate", status: "closed", closed_at: NOW });
  const close = {
    event_id: 3,
    actor: "claude",
    reason: "done",
    message: "It rotates.\nTried with two spokes.",
    evidence: [{ type: "commit", sha: "abc123" }],
  };
  const part = {
    ...read,
    show: { ...read.show, issue: { ...wire(closed), closed_reason: "done" }, close },
  } as DetailPart;
  const session = screen(80, 24, [closed]).keys("s", "s", "s", "s", "s").keys("enter");
  session.tell({ type: "detail", uid: closed.uid, detail: part });
  expect(text(session)).toContain("closed by claude: It rotates. Tried with two spokes.");
  expect(text(session)).toContain("evidence commit:abc123");
  session.keys("r");
  expect(text(session)).not.toContain("closed by claude");
});

test("an issue that a code host owns shows the host and the number there", () => {
  const synced = { provider: "github", number: 12, url: "https://github.com/ann/web/issues/12" };
  expect(text(screen(80, 24, [issue(1, { synced })]).keys("enter"))).toContain("synced GitHub #12");
  expect(text(screen(80, 24, [issue(1)]).keys("enter"))).not.toContain("synced");
});
