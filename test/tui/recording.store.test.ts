import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/screen/message.ts";
import {
  momentLine,
  openingLine,
  RECORDING_VERSION,
  readRecording,
} from "../../tui/recording/format.ts";
import { isRecordedMessage, KINDS, type RecordedMessage } from "../../tui/recording/kinds.ts";
import { Recorder } from "../../tui/recording/recorder.ts";
import { frame } from "../../tui/screens/frame.ts";
import { createStore } from "../../tui/store.ts";
import { painter } from "../../tui/style.ts";
import { FakeClock } from "../support/clock.ts";
import { tempFolder } from "../support/daemon.ts";
import { issue, NOW, OPENING, sample, screen } from "./support.ts";

const CHANGED: RecordedMessage = {
  type: "issues",
  part: "changed",
  serial: 7,
  issues: [issue(1, { title: "Changed 日本語" })],
  gone: [issue(2).uid],
  truncated: false,
};

/** One message of each kind, as answers of a daemon produce it. */
const EACH: Readonly<Record<RecordedMessage["type"], RecordedMessage>> = {
  scope: { type: "scope", scope: { project: { id: 2, name: "infra" } } },
  projects: {
    type: "projects",
    projects: [{ id: 1, uid: "P", name: "product", open: 1, closed: 0, last: undefined }],
  },
  issues: CHANGED,
  detail: {
    type: "detail",
    uid: issue(1).uid,
    detail: { events: undefined, peers: [issue(2)], error: "not there" },
  },
  graph: { type: "graph", source: issue(1).uid, graph: { error: undefined, chain: undefined } },
  cron: { type: "cron", cron: { jobs: [], runs: [], more: undefined, error: undefined } },
  "job-runs": { type: "job-runs", job: "j", runs: [], error: undefined },
  versions: {
    type: "versions",
    of: "r",
    versions: [
      {
        ...{ kind: "job", uid: "j", event: "e", name: "nightly", actor: "ana", at: NOW },
        ...{ isCurrent: false, differs: ["trigger"], text: "{}" },
      },
      { kind: "workflow", uid: "w", event: "f", error: "gone" },
    ],
  },
  inbox: { type: "inbox", address: "ana", all: false, inbox: { requests: [], error: undefined } },
  fleet: {
    type: "fleet",
    project_id: 1,
    fleet: {
      rows: [
        {
          at: { uid: issue(1).uid, project_id: 1, ref: "k001", name: "product#k001" },
          title: "Issue number 1",
          status: "open",
          holder: "bo",
          owner: undefined,
          since: NOW,
          lease: { expires_at: NOW, fence: 1, purpose: "" },
          last: undefined,
        },
      ],
      truncated: false,
      error: undefined,
    },
  },
  live: { type: "live", live: "reconnecting" },
  behind: { type: "behind", behind: true },
  events: {
    type: "events",
    events: [
      {
        id: 4,
        kind: "issue.closed",
        actor: "bo",
        at: NOW,
        project_id: 1,
        uid: issue(1).uid,
        uids: [issue(1).uid],
        description: "closed it",
      },
    ],
  },
  auth: { type: "auth", quickClose: false },
  api: { type: "api", api: "31" },
  failed: { type: "failed", text: "the daemon is gone" },
};

function fileOf(...lines: readonly string[]): string {
  return [openingLine(OPENING), ...lines, ""].join("\n");
}

describe("a line of a recording", () => {
  test.each(Object.values(EACH))(
    "with a message of the type $type is read back as it was recorded",
    (message) => {
      const read = readRecording(fileOf(momentLine(12, message)));
      if (!("recording" in read)) throw new Error(read.wrong);
      const serial = message.type === "issues" ? { serial: Number.MAX_SAFE_INTEGER } : {};
      expect(read.recording.opening).toEqual(OPENING);
      expect(read.recording.moments).toEqual([{ at: 12, message: { ...message, ...serial } }]);
    },
  );

  test("a recorded line that withdraws an error withdraws it again in the replay", () => {
    const read = readRecording(fileOf(momentLine(0, EACH.inbox)));
    if (!("recording" in read)) throw new Error(read.wrong);
    const session = screen(80, 24).keys("2");
    session.tell({ type: "inbox", address: "ana", all: false, inbox: { error: "it broke" } });
    for (const { message } of read.recording.moments) session.tell(message);
    expect(session.state.inbox).toMatchObject({ error: undefined, requests: [] });
  });

  test("is not written for what a person does", () => {
    const done: readonly Message[] = [
      { type: "key", key: "j" },
      { type: "paste", text: "a password" },
      { type: "edited", text: "a draft" },
      { type: "resize", columns: 80, rows: 24 },
      { type: "tick" },
      { type: "reload" },
      { type: "written", id: 1, issue: undefined },
      { type: "refused", id: 1, code: "validation", text: "no" },
      { type: "replay", replay: "ended" },
    ];
    expect(done.filter(isRecordedMessage)).toEqual([]);
    expect(Object.values(EACH).every(isRecordedMessage)).toBe(true);
  });
});

describe("a file that is no valid recording", () => {
  const [one, two] = [momentLine(5, EACH.live), momentLine(9, CHANGED)];
  test.each([
    ["an empty file", "", 1, "it is no recording of svc tui"],
    ["another file", "# Readme\n", 1, "it is no recording of svc tui"],
    [
      "another version",
      openingLine(OPENING).replace(/(recording":)\d+/, `$1${RECORDING_VERSION + 1}`),
      1,
      `it is of version ${RECORDING_VERSION + 1}, and this svc reads ${RECORDING_VERSION}`,
    ],
    [
      "a start without an actor",
      openingLine({ ...OPENING, actor: undefined as never }),
      1,
      "the start.actor must be a text",
    ],
    ["a line that is cut", fileOf(one, two.slice(0, -5), one), 3, "it is no JSON object"],
    ["a line that is a list", fileOf("[]"), 2, "it is no JSON object"],
    ["no time", fileOf('{"type":"live","live":"live"}'), 2, ".at must be a whole number from 0 on"],
    ["time that goes back", fileOf(two, one), 3, ".at goes back in time"],
    [
      "an unknown kind",
      fileOf(one, '{"at":6,"type":"key","key":"q"}'),
      3,
      'there is no "key" in a recording',
    ],
    [
      "a kind of every object",
      fileOf('{"at":6,"type":"toString"}'),
      2,
      'there is no "toString" in a recording',
    ],
    [
      "an issue without a title",
      fileOf(momentLine(9, { ...CHANGED, issues: [issue(1), { ...issue(2), title: 3 as never }] })),
      2,
      "issues.issues[1].title must be a text",
    ],
    [
      "an instant that is none",
      fileOf(momentLine(9, { ...CHANGED, issues: [issue(1, { updated_at: "yesterday" })] })),
      2,
      "issues.issues[0].updated_at must be an instant",
    ],
  ])("is refused with the number of the wrong line: %s", (_name, file, line, wrong) => {
    expect(readRecording(file)).toEqual({ line, wrong });
  });

  test("a recording whose last line was cut off is read without that line", () => {
    const read = readRecording(`${fileOf(one)}${two.slice(0, -5)}`);
    expect(read).toMatchObject({ recording: { length: 5, moments: [{ at: 5 }] } });
  });
});

test("a recorded field of the wrong type never reaches the screen", () => {
  const paint = painter("none");
  const messages = fc.constantFrom(...Object.values(EACH), {
    ...CHANGED,
    part: "all" as const,
    issues: sample(),
  });
  const strange = fc.constantFrom<unknown>(null, 3, "text", true, [], {}, [null], [{}], { a: [1] });
  const screens = fc.constantFrom("1", "2", "3", "4", "5", "6", "enter");
  fc.assert(
    fc.property(messages, fc.nat(), strange, screens, (message, place, value, key) => {
      const told = JSON.parse(momentLine(1, message)) as Record<string, unknown>;
      replaceAt(told, place, value);
      const read = readRecording(fileOf(JSON.stringify(told)));
      if (!("recording" in read)) {
        expect(read.line).toBe(2);
        return;
      }
      const session = screen(160, 50);
      for (const moment of read.recording.moments) session.tell(moment.message);
      session.keys(key);
      for (const moment of read.recording.moments) session.tell(moment.message);
      expect(frame(session.state, paint)).toHaveLength(50);
    }),
    { numRuns: 3000 },
  );
});

/** Replaces the value with that number, among all fields of a tree except its type. */
function replaceAt(tree: Record<string, unknown>, number: number, value: unknown): void {
  const places: (readonly [Record<string, unknown>, string])[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    // A list is treated as an object whose fields are its places.
    const fields = node as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      if (node !== tree || name !== "type") places.push([fields, name]);
      walk(fields[name]);
    }
  };
  walk(tree);
  const place = places[number % places.length];
  if (place !== undefined) place[0][place[1]] = value;
}

describe("the recorder of a screen", () => {
  function recorded({ maxBytes = 1_000_000, writable = true } = {}) {
    const file = join(tempFolder(), "r");
    closeSync(openSync(file, "wx", 0o600));
    const fd = openSync(file, writable ? "r+" : "r");
    const clock = new FakeClock(NOW);
    const told: string[] = [];
    const recorder = new Recorder({ fd, opening: OPENING, clock, maxBytes });
    recorder.onOver = (why) => void told.push(why);
    const store = recorder.record(createStore(screen(80, 24).state, clock, () => undefined));
    const lines = (): readonly Record<string, unknown>[] =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    return { file, clock, recorder, store, told, lines };
  }

  test("writes what the screen receives with its time, and nothing that is typed", async () => {
    const { store, clock, recorder, lines, file } = recorded();
    store.dispatch({ type: "live", live: "reconnecting" });
    clock.advance(1500);
    for (const key of ["/", "s", "e", "c", "r", "e", "t"]) store.dispatch({ type: "key", key });
    store.dispatch({ type: "paste", text: "secret" });
    store.dispatch({ ...EACH.failed });
    clock.advance(500);
    await recorder.close();
    expect(lines()).toMatchObject([
      { svc_tui_recording: RECORDING_VERSION, actor: "ana" },
      { at: 0, type: "live" },
      { at: 1500, type: "failed" },
      { at: 2000, type: "end" },
    ]);
    expect(readFileSync(file, "utf8")).not.toContain("secret");
  });

  test("records a switch of project before its content, and leaves out late answers", async () => {
    const { store, recorder, lines } = recorded();
    for (const key of ["5", "j", "enter"]) store.dispatch({ type: "key", key });
    expect(store.get().scope.project?.name).toBe("infra");
    const {
      loading: { serial: scopeSerial },
    } = store.get();
    store.dispatch({ ...CHANGED, part: "all", serial: scopeSerial - 1 });
    store.dispatch({ ...CHANGED, part: "all", serial: scopeSerial, issues: [issue(9)] });
    await recorder.close();
    expect(lines().slice(1)).toMatchObject([
      { type: "scope", scope: { project: { name: "infra" } } },
      { type: "issues", issues: [{ short_id: "k009" }] },
      { type: "end" },
    ]);
  });

  test("never goes back in time, whatever the clock does", async () => {
    const { store, recorder, clock, file } = recorded();
    clock.advance(1000);
    store.dispatch(EACH.live);
    clock.advance(-5000);
    store.dispatch(EACH.auth);
    await recorder.close();
    expect(readRecording(readFileSync(file, "utf8"))).toMatchObject({
      recording: { length: 1000, moments: [{ at: 1000 }, { at: 1000 }] },
    });
  });

  test("a full recording is reported once, and can be played", async () => {
    const { store, recorder, told, file } = recorded({ maxBytes: 600 });
    for (let at = 0; at < 20; at += 1) store.dispatch(EACH.failed);
    await recorder.close();
    expect(told).toEqual([expect.stringContaining("is full")]);
    expect(statSync(file).size).toBeLessThanOrEqual(600);
    expect(readRecording(readFileSync(file, "utf8"))).toHaveProperty("recording");
  });

  test("a recorder whose file cannot be written says so, and the screen continues", async () => {
    const { store, recorder, told } = recorded({ writable: false });
    store.dispatch(EACH.failed);
    await recorder.close();
    expect(told).toEqual([expect.stringContaining("the recording broke off: EBADF")]);
    store.dispatch({ type: "live", live: "live" });
    expect(store.get().connection.live).toBe("live");
  });
});

test("every kind of recorded message occurs in these tests", () => {
  expect(Object.keys(EACH).sort()).toEqual(Object.keys(KINDS).sort());
});
