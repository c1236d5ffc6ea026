import { describe, expect, test } from "vitest";
import { keyBindingOf, runCommand } from "../../src/screen/commands.ts";
import type { CronState } from "../../src/screen/cron/state.ts";
import type { GraphState } from "../../src/screen/graph/state.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import type { Message } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";
import { speech } from "../../tui/reader/speech.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { picture, text } from "./picture.ts";
import { issue, NOW, Session, START, screen } from "./support.ts";

const SIZES = [
  [40, 10],
  [80, 24],
  [160, 50],
] as const;

const cron = (change: Partial<CronState>): Message => ({ type: "cron", cron: change });
const job = { uid: "01JJOB00000000000000000000", name: "nightly" };
const head = { ...job, timezone: "UTC" };

/** For each screen without rows: the keys to get there, what the daemon answered, and the next step that is shown. */
const EMPTY: Readonly<
  Record<string, { keys: readonly string[]; told?: readonly Message[]; says: readonly string[] }>
> = {
  inbox: {
    keys: ["2"],
    told: [{ type: "inbox", address: "ana", all: false, inbox: { requests: [] } }],
    says: [
      "nobody asks ana for anything",
      "A looks at all your addresses",
      "i on an issue asks somebody; so does: svc notify <ref> --to ana",
    ],
  },
  fleet: {
    keys: ["6"],
    told: [{ type: "fleet", project_id: 1, fleet: { rows: [] } }],
    says: [
      "nobody leases an issue or owns an open one",
      "1 is the board: there a gives an issue to somebody",
      "svc next --claim",
    ],
  },
  runs: {
    keys: ["4"],
    told: [cron({ jobs: [], runs: [] })],
    says: ["no run was recorded yet", "svc cron run observe"],
  },
  jobs: {
    keys: ["4", "tab"],
    told: [cron({ jobs: [] })],
    says: ["no job yet", "svc cron job create --file job.json --parent <ref> makes one"],
  },
  workflows: {
    keys: ["4", "tab", "tab"],
    told: [cron({ jobs: [], workflows: [] })],
    says: ["no workflow yet", "svc cron workflow create --file flow.json makes one"],
  },
  "ledger of no job": {
    keys: ["4", "tab", "tab", "tab"],
    told: [cron({ jobs: [] })],
    says: [
      "no job is chosen",
      "tab to Jobs: there enter shows what became of one, p when it comes next",
    ],
  },
  ledger: {
    keys: ["4", "tab", "tab", "tab"],
    told: [cron({ job, ledger: { job: head, through: NOW, entries: [] } })],
    says: ["nothing came due yet", "p shows when it does"],
  },
  preview: {
    keys: ["4", "shift+tab", "shift+tab"],
    told: [cron({ job, preview: { job: head, now: NOW, occurrences: [] } })],
    says: ["no time is to come", "its date is over, or no clock starts it"],
  },
  board: { keys: ["1"], says: ["no issues yet: n makes the first"] },
};

/** Returns the text without its line breaks. */
const read = (session: Session): string =>
  picture(session)
    .map((line) => line.trim())
    .join(" ");

describe("a screen without rows names the next step", () => {
  for (const [columns, rows] of SIZES)
    test.each(Object.entries(EMPTY))(`for %s, complete at ${columns}x${rows}`, (_name, one) => {
      const session = screen(columns, rows, []).keys(...one.keys);
      for (const message of one.told ?? []) session.tell(message);
      for (const words of one.says) expect(read(session)).toContain(words);
    });

  const LISTS = Object.entries(EMPTY).filter(([name]) => name !== "board");

  test.each(LISTS)("for %s, with only keys that have an effect", (_name, one) => {
    const session = screen(160, 50, []).keys(...one.keys);
    for (const message of one.told ?? []) session.tell(message);
    const { state } = session;
    const drawn = (now: State): readonly string[] => frame(now, painter("none"));
    const footer = drawn(state).at(-1) ?? "";
    const offered = state.preferences.keys.filter((row) => {
      const [key = ""] = row.keys;
      return (
        row.word !== undefined && footer.includes(row.word) && keyBindingOf(state, key) === row
      );
    });
    expect(offered.map(({ word }) => word)).toContain("? help");
    const idle = offered.filter(({ command }) => {
      const next = runCommand(state, command);
      const isSame = drawn(next.state).join() === drawn(state).join();
      return next.state.messages.notice?.isHint === true || (isSame && next.effects.length === 0);
    });
    expect(idle.map(({ word }) => word)).toEqual([]);
  });

  test.each(SIZES)("for projects, at %ix%i", (columns, rows) => {
    const session = screen(columns, rows, []).keys("5");
    session.tell({ type: "projects", projects: [] });
    expect(read(session)).toContain("n makes one by its name.");
    expect(read(session)).toContain("svc init");
  });

  test.each(SIZES)("for an issue without links, at %ix%i", (columns, rows) => {
    const alone = issue(1);
    const session = screen(columns, rows, [alone]).keys("3");
    const data = {
      nodes: [{ ...alone, id: 1 }],
      edges: [],
      unresolved_refs: [],
    } as unknown as NonNullable<GraphState["data"]>;
    session.tell({ type: "graph", source: alone.uid, graph: { data } });
    expect(read(session)).toContain("it is linked to nothing that is open");
    expect(read(session)).toContain("p gives it a parent, b what it waits for, l what it");
    expect(read(session)).toContain("H shows closed issues too");
    session.tell({ type: "key", key: "H" });
    expect(read(session)).not.toContain("that is open");
    expect(read(session)).not.toContain("H shows");
  });
});

test("nothing is reported missing before the daemon has answered", () => {
  for (const keys of [["2"], ["4"], ["4", "tab"], ["6"], ["1"]]) {
    const session = new Session(initialState({ ...START, columns: 80, rows: 24 })).keys(...keys);
    expect(text(session)).toContain("loading...");
  }
});

test("a screen reader announces the next step too, once it is known that there are no rows", () => {
  const session = screen(99, 30, []);
  const [before] = [session.state, session.keys("2")];
  expect(speech(before, session.state, "key")).toEqual(["Inbox of ana, loading"]);
  const asked = session.state;
  session.tell({ type: "inbox", address: "ana", all: false, inbox: { requests: [] } });
  expect(speech(asked, session.state, "inbox")).toEqual([
    "Inbox of ana, 0 requests",
    "nobody asks ana for anything",
    "A looks at all your addresses",
    "i on an issue asks somebody; so does: svc notify <ref> --to ana",
  ]);
});
