import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { CRON_TABS, type CronRun } from "../../src/screen/cron/state.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import type { GraphState } from "../../src/screen/graph/state.ts";
import type { InboxItem } from "../../src/screen/inbox/state.ts";
import type { Message } from "../../src/screen/message.ts";
import { placeOfCursor } from "../../tui/screens/cursor.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { job } from "./cron-support.ts";
import { picture, text } from "./picture.ts";
import { issue, NOW, type Session, screen } from "./support.ts";

const COUNT = 40;
const numbers = Array.from({ length: COUNT }, (_none, at) => at + 1);
const issues = numbers.map((number) => issue(number, { title: `Title ${number} here` }));

function told(session: Session): Session {
  const requests = issues.map(
    ({ uid, project_id, qualified_id: ref, title }): InboxItem => ({
      ...{ to: "ana", ref, issue_uid: uid, project_id, title, from: "bo" },
      ...{ message: title, event_uid: uid, requested_at: NOW },
    }),
  );
  session.tell({ type: "inbox", address: "ana", all: false, inbox: { requests } });
  const rows = issues.map(
    ({ uid, project_id, short_id: ref, qualified_id: name, title }): FleetRow => ({
      ...{
        at: { uid, project_id, ref, name },
        title,
        holder: `who-${ref}`,
        owner: undefined,
        status: undefined,
      },
      ...{ since: NOW, lease: undefined, last: undefined },
    }),
  );
  session.tell({ type: "fleet", project_id: 1, fleet: { rows } });
  const runs = issues.map(
    ({ uid }, at) =>
      ({
        ...{ id: at, uid: `01JRUN${at}`, revision: 1, status: "failed", issue_uid: uid },
        ...{ actor: "bo", executor: `Title ${at + 1} here`, summary: {}, definitions: {} },
        ...{ started_at: NOW, created_at: NOW, updated_at: NOW },
      }) as unknown as CronRun,
  );
  session.tell({ type: "cron", cron: { runs, more: undefined } });
  const projects = numbers.map((id) => ({
    ...{ id, uid: `p${id}`, name: `Title ${id} here`, open: 1, closed: 0, last: undefined },
  }));
  session.tell({ type: "projects", projects });
  return session;
}

function later(session: Session, ms: number): void {
  session.state = { ...session.state, now: msToInstant(instantToMs(session.state.now) + ms) };
}

const click = (session: Session, x: number, y: number): void =>
  void session.tell({ type: "mouse", act: "click", x, y });

const lineOf = (session: Session, what: string | RegExp): number =>
  picture(session).findIndex((line) =>
    typeof what === "string" ? line.includes(what) : what.test(line),
  );

/** Returns the line with the cursor. */
function under(session: Session): string {
  const lines = frame(session.state, painter("none"));
  return picture(session)[placeOfCursor(session.state, lines).y] ?? "";
}

const lists = [
  ["board", "1"],
  ["inbox", "2"],
  ["cron", "4"],
  ["projects", "5"],
  ["fleet", "6"],
] as const;

test.each(lists)(
  "on the screen %s a click selects a row, and a second click opens it",
  (name, key) => {
    const session = told(screen(120, 30, issues).keys("L", key));
    const y = 9;
    const clicked = /k\d{3}|Title \d+ here/.exec(picture(session)[y] ?? "")?.[0] ?? "none";
    click(session, 12, y);
    expect(under(session)).toContain(clicked);
    expect(session.state.detail.open).toEqual([]);
    later(session, 5000);
    click(session, 12, lineOf(session, new RegExp(`^.*${clicked}`)));
    if (name === "projects") expect(session.state.scope.project?.name).toBe(clicked);
    else expect(session.state.detail.open).toHaveLength(1);
  },
);

test.each(lists)(
  "on the screen %s two quick clicks open the row that the first click selected",
  (name, key) => {
    const session = told(screen(120, 30, issues).keys("L", key, "j", "j", "j"));
    const y = 12;
    click(session, 12, y);
    const chosen = /k\d{3}|Title \d+ here/.exec(under(session))?.[0] ?? "none";
    later(session, 499);
    click(session, 12, y);
    if (name === "projects") expect(session.state.scope.project?.name).toBe(chosen);
    else expect(session.state.detail.open).toHaveLength(1);
  },
);

test.each(lists)("on the screen %s the wheel moves by three lines", (_name, key) => {
  const session = told(screen(120, 30, issues).keys("L", key));
  const at = () => Number(/(\d+)\/\d+\+?(?: |$)/.exec(picture(session).at(-2) ?? "")?.[1] ?? "-1");
  const cursor = under(session);
  session.tell({ type: "mouse", act: "down", x: 3, y: 5 });
  const moved = under(session);
  expect(moved).not.toBe(cursor);
  if (at() !== -1) expect(at()).toBe(4);
  session.tell({ type: "mouse", act: "up", x: 3, y: 5 });
  expect(under(session)).toBe(cursor);
});

test("in the browse pane a click selects a line, and a second click runs its command", () => {
  const session = told(screen(160, 40, issues));
  const y = lineOf(session, /^.Blocked/);
  click(session, 3, y);
  expect(session.state.window.focus).toBe("browse");
  expect(session.state.board.query).toBe("status:open");
  click(session, 3, y);
  expect(session.state.board.query).toBe("status:blocked");
});

test("an open issue scrolls with the wheel, and so does one beside the list", () => {
  const body = numbers.map((number) => `line ${number}`).join("\n\n");
  const session = screen(160, 24, [issue(1, { body })]);
  session.tell({ type: "mouse", act: "down", x: 140, y: 8 });
  expect(session.state.detail.scroll).toBe(3);
  const open = screen(80, 24, [issue(1, { body })]).keys("enter");
  open.tell({ type: "mouse", act: "down", x: 4, y: 8 });
  open.tell({ type: "mouse", act: "down", x: 4, y: 8 });
  open.tell({ type: "mouse", act: "up", x: 4, y: 8 });
  expect(open.state.detail.scroll).toBe(3);
});

test.each([40, 60, 80, 100, 140, 200])(
  "a click on a name in the title opens that screen, at %i columns",
  (columns) => {
    for (const [at, name] of ["board", "inbox", "graph", "cron", "projects", "fleet"].entries()) {
      const session = told(screen(columns, 24, issues));
      const x = (picture(session)[0] ?? "").search(new RegExp(`(?<=[ \\[])${at + 1}(?=[ (\\]]|$)`));
      click(session, x, 0);
      expect(session.state.screen).toBe(name);
      expect(picture(session)[0]).toContain(`[${at + 1} `);
    }
    const session = told(screen(columns, 24, issues));
    click(session, 0, 0);
    expect(session.state.screen).toBe("board");
  },
);

test("while an input is open the mouse does nothing", () => {
  const session = told(screen(120, 30, issues).keys("n"));
  const before = session.state;
  for (const act of ["click", "up", "down"] as const)
    session.tell({ type: "mouse", act, x: 8, y: 0 });
  expect(session.state).toEqual(before);
});

test("a click outside the rows selects nothing", () => {
  const session = told(screen(120, 30, issues.slice(0, 2)).keys("L"));
  const { cursor } = session.state.board;
  for (const y of [1, 2, 20, 28, 29]) click(session, 5, y);
  expect(session.state.board.cursor).toBe(cursor);
  expect(session.state.detail.open).toEqual([]);
});

const JOB = "01JJOB00000000000000000000";

/** A screen with forty rows in each tab of cron, and a graph of an issue with forty more below it. */
function tabs(session: Session): Session {
  const jobs = numbers.map((at) =>
    job(`Title ${at} here`, { uid: `${JOB.slice(0, -2)}${at + 10}` }),
  );
  const head = { uid: JOB, name: "nightly", timezone: "UTC" };
  const times = numbers.map((at) => `2026-11-${10 + Math.floor(at / 60)}T10:${10 + at}:00Z`);
  const entries = times.map((at, place) => {
    return { at, outcome: "delivered" as const, child_uid: issues[place]?.uid ?? "" };
  });
  const occurrences = times.map((at) => {
    return { at, local: at, offset: "+00:00", offset_changed: false };
  });
  const cron = {
    ...{ jobs, workflows: jobs, job: { uid: JOB, name: "nightly" } },
    ledger: { job: head, through: NOW, entries },
    preview: { job: head, now: NOW, occurrences },
  };
  session.tell({ type: "cron", cron });
  const [first] = issues;
  const data = {
    nodes: issues.map((one) => ({ ...one, id: 1 })),
    edges: issues.slice(1).map(({ uid }) => {
      return { from_uid: first?.uid, to_uid: uid, kind: "blocks", layout: true };
    }),
    unresolved_refs: [],
  } as unknown as NonNullable<GraphState["data"]>;
  session.tell({ type: "graph", source: first?.uid ?? "", graph: { data } });
  return session;
}

/** The keys that lead to a list, and what a second click on a row opens. */
const LISTS: Readonly<Record<string, { keys: readonly string[]; opens: (s: Session) => unknown }>> =
  {
    graph: { keys: ["G", "3"], opens: ({ state }) => state.detail.open.length === 1 },
    jobs: { keys: ["4", "tab"], opens: ({ state }) => state.cron.tab === "ledger" },
    workflows: {
      keys: ["4", "tab", "tab"],
      opens: ({ state }) => state.messages.notice !== undefined,
    },
    ledger: {
      keys: ["4", "tab", "tab", "tab"],
      opens: ({ state }) => state.detail.open.length === 1,
    },
    preview: {
      keys: ["4", "shift+tab", "shift+tab"],
      opens: ({ state }) => state.messages.notice !== undefined,
    },
  };

const rowOf = (session: Session): number =>
  Number(/(\d+)\/\d+\+?(?: |$)/.exec(picture(session).at(-2) ?? "")?.[1] ?? "-1");

describe.each(Object.entries(LISTS))("the mouse in %s", (_name, { keys, opens }) => {
  const start = (): Session => tabs(told(screen(120, 30, issues).keys("L", ...keys)));

  test("a click selects a row, and a second click on it opens it", () => {
    const session = start();
    const before = rowOf(session);
    const line = picture(session)[7] ?? "";
    click(session, 12, 7);
    expect(rowOf(session)).not.toBe(before);
    expect(under(session).slice(2)).toBe(line.slice(2));
    expect(opens(session)).toBe(false);
    const { y } = placeOfCursor(session.state, frame(session.state, painter("none")));
    later(session, 5000);
    click(session, 12, y);
    expect(opens(session)).toBe(true);
  });

  test("the wheel moves three rows", () => {
    const session = start().keys("g");
    session.tell({ type: "mouse", act: "down", x: 3, y: 5 });
    expect(rowOf(session)).toBe(4);
    session.tell({ type: "mouse", act: "up", x: 3, y: 5 });
    expect(rowOf(session)).toBe(1);
  });
});

test("a click on the name of a cron tab shows the tab, if there is room for the names", () => {
  for (const tab of CRON_TABS) {
    const session = tabs(told(screen(80, 24, issues).keys("4")));
    const name = `${tab[0]?.toUpperCase()}${tab.slice(1)}`;
    click(session, (picture(session)[1] ?? "").indexOf(name), 1);
    expect(session.state.cron.tab).toBe(tab);
  }
  const narrow = tabs(told(screen(40, 24, issues).keys("4")));
  for (let x = 0; x < 40; x += 1) click(narrow, x, 1);
  expect(narrow.state.cron.tab).toBe("runs");
});

const WRONG = `it cannot be read: ${"why ".repeat(30)}and the cure`;
const UNREAD: readonly (readonly [string, readonly string[], (session: Session) => Message])[] = [
  [
    "the inbox",
    ["2"],
    () => ({ type: "inbox", address: "ana", all: false, inbox: { error: WRONG } }),
  ],
  [
    "the graph",
    ["G", "3"],
    ({ state }) => ({ type: "graph", source: state.graph?.source ?? "", graph: { error: WRONG } }),
  ],
  ["the fleet", ["6"], () => ({ type: "fleet", project_id: 1, fleet: { error: WRONG } })],
  ["the jobs", ["4", "tab"], () => ({ type: "cron", cron: { error: WRONG } })],
];

test.each(UNREAD)(
  "rows that cannot be loaded again stay in %s, below the error, which is shown whole",
  (_name, keys, wrong) => {
    const session = tabs(told(screen(120, 30, issues).keys("L", ...keys)));
    const rows = (): number =>
      picture(session).filter((line) => /Title \d+ here/.test(line)).length;
    const before = rows();
    session.tell(wrong(session));
    expect(text(session).replaceAll(/\s+/g, " ")).toContain(WRONG);
    expect(before - rows()).toBe(2);
    const line = picture(session)[9] ?? "";
    click(session, 12, 9);
    expect(under(session).slice(2)).toBe(line.slice(2));
  },
);
