import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import xterm from "@xterm/headless";
import fc from "fast-check";
import stringWidth from "string-width";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { boardRows, topLine } from "../../src/screen/board/board.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import type { Message } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { type Fleet, recordFleet } from "../support/fleet/record.ts";
import { Replayed, recordingOf, type Size } from "../support/fleet/replayed.ts";
import { chanceOf } from "../support/fleet/work.ts";
import { pty } from "../support/pty.ts";
import { box } from "./box.ts";

const SEED = 20_261_121;
const EVENTS = 3000;

let made: Promise<Fleet> | undefined;

/** One recording for all tests of this file: making it takes long, and no test changes it. */
async function fleet(): Promise<Fleet> {
  made ??= recordFleet({ seed: SEED, events: EVENTS, every: 100 });
  return await made;
}

// Takes long on a machine under load.
beforeAll(async () => void (await fleet()), 300_000);

const plain = painter("none");

test("replaying the events of ten agents gives the same rows as the daemon has after every hundredth event", async () => {
  const { file, checkpoints } = await fleet();
  const replayed = new Replayed(recordingOf(file), { columns: 250, rows: 70 });
  expect(checkpoints.map(({ events }) => Math.floor(events / 100))).toEqual(
    Array.from({ length: EVENTS / 100 }, (_none, at) => at + 1),
  );
  for (const { at, events, issues } of checkpoints) {
    const { state } = replayed.until(at);
    const rows = [...state.issues.values()].map((issue) => ({
      uid: issue.uid,
      short_id: issue.short_id,
      status: issue.status,
      owner: issue.owner,
      title: issue.title,
      priority: issue.priority,
      labels: issue.labels,
      blocked: letterOf(state, issue) === "b",
      children: issue.child_counts,
      revision: issue.revision,
    }));
    const byUid = (a: { uid: string }, b: { uid: string }): number => (a.uid < b.uid ? -1 : 1);
    expect([events, rows.sort(byUid)]).toEqual([
      events,
      issues
        // A closed issue waits for nothing, so it counts as not blocked.
        .map((issue) => ({ ...issue, blocked: issue.blocked && issue.status === "open" }))
        .sort(byUid),
    ]);
  }
});

const CORNERS: readonly Size[] = [
  { columns: 40, rows: 10 },
  { columns: 250, rows: 10 },
  { columns: 40, rows: 70 },
  { columns: 250, rows: 70 },
  { columns: 80, rows: 24 },
  { columns: 160, rows: 50 },
];

/** Returns the frame. It must have as many lines as the terminal, each as wide as the terminal. */
function wholeFrame({ state }: Replayed): readonly string[] {
  const lines = frame(state, plain);
  expect(lines).toHaveLength(state.window.rows);
  for (const line of lines) {
    const width = stringWidth(line);
    if (width !== state.window.columns) expect([line, width]).toEqual([line, state.window.columns]);
  }
  return lines;
}

describe("no frame of the replay is too wide or too short", () => {
  test.each(CORNERS)("no frame is too wide or too short at $columns x $rows", async (size) => {
    const replayed = new Replayed(recordingOf((await fleet()).file), size);
    for (let told = 0; !replayed.isOver; told += 1) {
      replayed.next();
      if (told % 40 === 0) wholeFrame(replayed);
    }
    expect(wholeFrame(replayed.end())[0]).toContain("lantern");
  });

  test("no frame is too wide or too short at sizes that change at any moment, on every screen and in every view", async () => {
    const { file } = await fleet();
    const recording = recordingOf(file);
    const looks = ["j", "k", "G", "g", "pgdn", "v", "o", "s", "E", "left", "right", "tab", "L"];
    const places = ["1", "2", "3", "4", "5", "6", "enter", "esc", "?", "esc", ":", "esc", "space"];
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const chance = chanceOf(seed);
        const replayed = new Replayed(recording, { columns: 80, rows: 24 });
        while (!replayed.isOver) {
          replayed.next();
          if (chance.below(30) > 0) continue;
          const [columns, rows] = [40 + chance.below(211), 10 + chance.below(61)];
          replayed.tell({ type: "resize", columns, rows });
          replayed.keys(chance.pick(looks) ?? "j", chance.pick(places) ?? "1");
          wholeFrame(replayed);
        }
        wholeFrame(replayed.end());
      }),
      { numRuns: 4 },
    );
  }, 180_000);
});

/** Returns the drawn rows of issues, by issue. */
function drawnRows({ state }: Replayed, lines: readonly string[]): ReadonlyMap<string, string> {
  const top = topLine(state);
  const rows = boardRows(state).slice(top, top + state.window.rows - 5);
  return new Map(rows.map(({ issue }, at) => [issue.uid, lines[3 + at] ?? ""]));
}

test("in a replay a line of the board changes only with its content, and the cursor stays on its issue", async () => {
  const recording = recordingOf((await fleet()).file);
  const replayed = new Replayed(recording, { columns: 80, rows: 24 });
  // Shows all issues without nesting, so that each row shows one issue.
  replayed.until(200_000).keys("/", ..."status:all".split(""), "enter", "v", "j", "j", "j");
  expect(boardRows(replayed.state).length).toBeGreaterThan(20);
  let [apart, rows] = [0, 0];
  while (!replayed.isOver) {
    const { moments } = recording;
    const at = moments[replayed.told]?.at ?? 0;
    // Both frames are drawn at the same time, so that only the message can make a difference.
    replayed.pass(at);
    const before = replayed.state;
    const [was, drawnBefore] = [frame(before, plain), before.board.cursor];
    const linesBefore = drawnRows(replayed, was);
    const message = replayed.next();
    const is = frame(replayed.state, plain);
    const { cursor } = replayed.state.board;
    const isThere = boardRows(replayed.state).some(({ issue }) => issue.uid === drawnBefore);
    if (isThere) expect(cursor).toBe(drawnBefore);
    const touches = touched(message);
    if (touches === undefined) continue;
    const isApart =
      [...touches].every((uid) => !before.issues.has(uid)) && !brings(message, before);
    if (isApart) {
      expect(is).toEqual(was);
      apart += 1;
    }
    for (const [uid, line] of drawnRows(replayed, is)) {
      const earlier = linesBefore.get(uid);
      // If the issue under the cursor is gone, the cursor moves to the next one.
      if (!isThere && uid === cursor) continue;
      if (earlier === undefined || touches.has(uid)) continue;
      rows += 1;
      if (line === earlier) continue;
      if ([before, replayed.state].some((state) => isNear(state, uid, touches))) continue;
      expect(line).toBe(earlier);
    }
  }
  // The cases that the test is about must have occurred.
  expect(apart).toBeGreaterThan(100);
  expect(rows).toBeGreaterThan(10_000);
});

/** Returns the issues that a message is about, or `undefined` if it is about something else. */
function touched(message: Message): ReadonlySet<string> | undefined {
  if (message.type === "events") return new Set(message.events.flatMap(({ uids }) => uids));
  if (message.type !== "issues") return undefined;
  return new Set([...message.issues.map(({ uid }) => uid), ...message.gone]);
}

/** Whether the message adds an issue that was not shown before. */
function brings(message: Message, { scope }: State): boolean {
  if (message.type !== "issues") return false;
  return message.issues.some(({ project_id }) => project_id === scope.project?.id);
}

/** A row also shows whether its issue waits: for another issue, for its children, or together with its parent. */
function isNear({ issues }: State, uid: string, touches: ReadonlySet<string>): boolean {
  const parts = [...issues.values()].filter(({ parent }) => parent === uid);
  if (parts.some((part) => touches.has(part.uid))) return true;
  for (let issue = issues.get(uid); issue !== undefined; issue = parentOf(issues, issue)) {
    const { parent, blocked_by } = issue;
    if (blocked_by.some((one) => touches.has(one))) return true;
    if (parent !== undefined && touches.has(parent)) return true;
  }
  return false;
}

function parentOf(issues: State["issues"], { parent }: { readonly parent?: string | undefined }) {
  return parent === undefined ? undefined : issues.get(parent);
}

/** Returns the screen after each complete picture that the program wrote. */
async function pictures(
  written: string,
  { columns, rows }: Size,
): Promise<readonly (readonly string[])[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const found: (readonly string[])[] = [];
  const [begin, end] = ["\u001B[?2026h", "\u001B[?2026l"];
  for (const piece of written.split(end)) {
    const [outside = "", inside = ""] = piece.split(begin);
    // Nothing visible is written between two pictures.
    expect(stripVTControlCharacters(outside).trim()).toBe("");
    await new Promise<void>((resolve) => terminal.write(piece, resolve));
    const { active } = terminal.buffer;
    if (inside === "" || active.type !== "alternate") continue;
    found.push(
      Array.from(
        { length: rows },
        (_none, at) => active.getLine(at)?.translateToString(true) ?? "",
      ),
    );
  }
  terminal.dispose();
  return found;
}

/** Removes ages, which grow while the test runs. */
function timeless(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    stripVTControlCharacters(line)
      .trimEnd()
      .replaceAll(/ +\d+[smhdw](?= |$)/g, ""),
  );
}

describe("replaying on a terminal at a thousand times the speed", () => {
  async function played(sizes: readonly Size[]) {
    const { file } = await fleet();
    const place = box();
    const path = join(place.work, "fleet.svcr");
    writeFileSync(path, file);
    const words = [place.launcher, "tui", "--replay", path, "--speed", "1000"];
    const [first = { columns: 80, rows: 24 }, ...others] = sizes;
    const screen = pty(process.execPath, words, { cwd: place.work, env: place.env, ...first });
    await screen.shows("replay 1000x");
    for (const { columns, rows } of others) {
      screen.resize(columns, rows);
      await screen.shows("? help");
    }
    await screen.shows("replay over");
    const size = sizes.at(-1) ?? first;
    const last = timeless(frame(new Replayed(recordingOf(file), size).end().state, plain));
    // The message that the recording is over fades; all else stays.
    const without = (lines: readonly string[]): readonly string[] => lines.toSpliced(-2, 1);
    await vi.waitFor(
      () => expect(without(timeless(screen.screen()))).toEqual(without(last)),
      20_000,
    );
    screen.type("qy");
    expect(await screen.ended).toBe(0);
    expect(screen.isAlternate()).toBe(false);
    return screen;
  }

  test("draws every picture whole, and the last picture shows the last state", async () => {
    const size = { columns: 80, rows: 24 };
    const screen = await played([size]);
    const seen = await pictures(screen.written(), size);
    expect(seen.length).toBeGreaterThan(10);
    for (const lines of seen) {
      expect(lines[0]).toContain("lantern");
      expect(lines[2]).toContain("TITLE");
      expect(lines.at(-1)).not.toBe("");
    }
  });

  test("draws the last picture right despite resizes", async () => {
    const screen = await played([
      { columns: 80, rows: 24 },
      { columns: 40, rows: 10 },
      { columns: 250, rows: 70 },
      { columns: 100, rows: 30 },
      { columns: 90, rows: 40 },
    ]);
    expect(screen.screen()).toHaveLength(40);
  });
});
