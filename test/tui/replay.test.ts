import { describe, expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { whyNot } from "../../src/screen/commands.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import { allKeys } from "../../src/screen/keys.ts";
import type { Message } from "../../src/screen/message.ts";
import { menuRows } from "../../src/screen/palette/menu.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { NO_DAEMON } from "../../src/screen/session/replay.ts";
import type { Recording } from "../../tui/recording/format.ts";
import type { RecordedMessage } from "../../tui/recording/kinds.ts";
import { Player } from "../../tui/recording/player.ts";
import { frame } from "../../tui/screens/frame.ts";
import { createStore } from "../../tui/store.ts";
import { painter } from "../../tui/style.ts";
import { FakeClock } from "../support/clock.ts";
import { bareSurface } from "../support/surface.ts";
import { issue, NOW, OPENING, type Session, START, sample, screen } from "./support.ts";

const KEYS = allKeys(SCREENS);

const BOARD: RecordedMessage = {
  type: "issues",
  part: "all",
  serial: Number.MAX_SAFE_INTEGER,
  issues: sample(),
  gone: [],
  truncated: false,
};
const LIVE: RecordedMessage = { type: "live", live: "live" };
const INBOX: RecordedMessage = {
  type: "inbox",
  address: "ana",
  all: false,
  inbox: { requests: [], error: undefined },
};

function replaying(): Session {
  const session = screen(80, 24);
  session.state = {
    ...session.state,
    session: { ...session.state.session, replay: { speed: 10, ended: false } },
  };
  return session;
}

function plain(session: Session): string {
  return frame(session.state, painter("none")).join("\n");
}

describe("while a recording is shown", () => {
  test("keys that change nothing in the data work as usual", () => {
    const session = replaying().keys("j", "j", "space", "v", "s", "enter");
    expect(session.state.detail.open).toHaveLength(1);
    expect(session.state.marks.size).toBe(1);
    session.keys("esc").keys("/").type("token").keys("enter");
    expect(session.state.board.query).toContain("token");
    for (const key of ["2", "3", "4", "5", "6", "1", "?", "esc", ":", "esc", "M", "esc"])
      session.keys(key);
    expect(session.state.screen).toBe("board");
  });

  test.each(
    KEYS.filter(
      ({ scope, command }) =>
        scope === "issue" && !["graph", "copy", "copy-part"].includes(command),
    ),
  )("the command $command says that there is no daemon, and opens nothing", ({ keys }) => {
    const [key = ""] = keys;
    const session = replaying().keys(key);
    expect(session.state.messages.notice?.text).toBe(NO_DAEMON);
    expect(session.state.dialog).toBeUndefined();
    expect(session.effects.map(({ effect }) => effect)).toEqual(["wake"]);
  });

  test("no key of any screen sends a change, not even if y follows it", () => {
    const keys = KEYS.flatMap((row) => row.keys);
    for (const place of ["1", "2", "3", "4", "5", "6", "enter"]) {
      for (const key of keys) {
        const session = replaying().keys(place, key);
        const first = session.effects;
        session.keys("y");
        for (const { effect } of [...first, ...session.effects]) expect(effect).not.toBe("write");
        expect(session.state.writes.sent).toEqual([]);
      }
    }
  });

  test("no command that changes something is available, on whichever screen", () => {
    const { state } = screen(80, 24);
    const writing = KEYS.map(({ command }) => command).filter(
      (command) =>
        whyNot({ ...state, connection: { ...state.connection, readOnly: "no" } }, command) === "no",
    );
    expect(writing).toEqual(expect.arrayContaining(["new", "edit-comment", "inbox-answer"]));
    for (const command of writing)
      expect([command, whyNot(replaying().state, command)]).toEqual([command, NO_DAEMON]);
  });

  test("a change that is sent by answering a question is blocked, and reported", () => {
    const session = replaying();
    const [first] = sample();
    if (first === undefined) throw new Error("no issue");
    const { uid, project_id, short_id: ref, qualified_id: name } = first;
    const at = { uid, project_id, ref, name };
    const dialog = { dialog: "confirm", text: "sure?", writes: [{ act: "delete", at }] } as const;
    session.state = { ...session.state, dialog };
    session.keys("y");
    expect(session.writes).toEqual([]);
    expect(session.state.messages.notice?.text).toBe(NO_DAEMON);
  });

  test("the footer names no key without effect, and help says why a command is disabled", () => {
    const session = replaying();
    expect(plain(session)).toContain("j/k move");
    expect(plain(session)).not.toContain("x close");
    const row = menuRows(session.state, "close").find(({ row: one }) => one?.command === "close");
    expect(row).toMatchObject({ why: NO_DAEMON });
  });

  test("the title names the replay and its speed, and says at the end that the recording is over", () => {
    const session = replaying();
    expect(plain(session)).toContain("replay 10x ");
    session.tell({ type: "replay", replay: "ended" });
    expect(plain(session)).toContain("replay over ");
    expect(plain(session)).toContain("the recording has ended");
    expect(session.cursor).toBe("k007");
  });

  test.each([
    [10, false, 39_100, true],
    [10, false, 39_300, false],
    [10, true, 3900, true],
    [10, true, 3960, false],
  ])(
    "at speed %i, recording ended: %s, after %i ms a message is still shown: %s",
    (speed, ended, ms, stands) => {
      const session = replaying();
      session.state = {
        ...session.state,
        session: { ...session.state.session, replay: { speed, ended } },
      };
      session.keys("x");
      const { now } = session.state;
      const later = new FakeClock(now);
      later.advance(ms);
      session.state = { ...session.state, now: later.now() };
      session.tell({ type: "tick" });
      expect(session.state.messages.notice !== undefined).toBe(stands);
    },
  );
});

/** Plays a recording into a store, with a clock that the test moves. */
function played(moments: Recording["moments"], speed: number, length = moments.at(-1)?.at ?? 0) {
  const real = new FakeClock("2030-01-01T00:00:00.000Z");
  const player = new Player({ opening: OPENING, moments, length }, speed, real);
  const ended = new AbortController();
  const told: (readonly [Message, number])[] = [];
  const size = { columns: 80, rows: 24, now: player.clock.now() };
  const state = initialState({ ...START, ...size, replay: { speed, ended: false } });
  const dispatch = (message: Message): void => {
    told.push([message, instantToMs(player.clock.now()) - instantToMs(NOW)]);
    store.dispatch(message);
  };
  const surface = bareSurface({ clock: real, signal: ended.signal, dispatch });
  const store = createStore(state, player.clock, (effect) => player.run(effect, surface));
  const playing = player.play(dispatch, ended.signal);
  /** Moves the clock on, and lets everything that is due happen. */
  const pass = async (ms: number): Promise<void> => {
    real.advance(ms);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const types = (): readonly string[] => told.map(([{ type }]) => type);
  return { player, store, told, types, pass, playing, ended, keys: keysTo(dispatch) };
}

function keysTo(dispatch: (message: Message) => void) {
  return (...keys: readonly string[]): void => {
    for (const key of keys) dispatch({ type: "key", key });
  };
}

describe("a recording that is played", () => {
  test("delivers each message at its time, at the requested speed", async () => {
    const { types, pass, playing, told } = played(
      [
        { at: 0, message: LIVE },
        { at: 2000, message: BOARD },
        { at: 5000, message: INBOX },
      ],
      100,
      6000,
    );
    expect(types()).toEqual(["live"]);
    await pass(19);
    expect(types()).toEqual(["live"]);
    await pass(1);
    expect(types()).toEqual(["live", "issues"]);
    await pass(29);
    expect(types()).toHaveLength(2);
    await pass(1);
    expect(types()).toHaveLength(3);
    await pass(9);
    expect(types()).toHaveLength(3);
    await pass(1);
    await playing;
    expect(types()).toEqual(["live", "issues", "inbox", "replay"]);
    // The screen's clock is exactly that of the recording, however late the machine was.
    expect(told.map(([, at]) => at)).toEqual([0, 2000, 5000, 6000]);
  });

  test("has a clock that never runs ahead of the messages, and continues normally after the end", async () => {
    const { player, pass, playing } = played([{ at: 1000, message: LIVE }], 10, 3000);
    const place = (): number => player.clock.nowMs() - instantToMs(NOW);
    await pass(50);
    expect(place()).toBe(500);
    await pass(950);
    await playing;
    expect(place()).toBe(3000);
    await pass(700);
    expect(place()).toBe(3700);
  });

  test("is delivered in order after the machine was suspended for an hour, each message with its own time", async () => {
    const moments = Array.from({ length: 50 }, (_none, at) => ({ at: at * 100, message: LIVE }));
    const { told, pass, playing } = played(moments, 1);
    await pass(3_600_000);
    await playing;
    expect(told.map(([, at]) => at)).toEqual([...moments.map(({ at }) => at), 4900]);
  });

  test("ends at once if it has no messages, and stops when the person leaves it", async () => {
    const empty = played([], 1);
    await empty.playing;
    expect(empty.types()).toEqual(["replay"]);
    const left = played([{ at: 1000, message: LIVE }], 1);
    left.ended.abort();
    await left.playing;
    expect(left.types()).toEqual([]);
  });

  test("answers repeated requests from its own messages, and says what was not recorded", async () => {
    const uid = issue(4).uid;
    const detail: RecordedMessage = {
      type: "detail",
      uid,
      detail: { events: [], error: undefined },
    };
    const { store, pass, keys, playing } = played(
      [
        { at: 0, message: BOARD },
        { at: 0, message: detail },
        { at: 1, message: { type: "cron", cron: { jobs: [], error: undefined } } },
      ],
      1,
    );
    await pass(0);
    await pass(1);
    await playing;
    keys("G", "enter");
    expect(store.get().detail.known.get(store.get().detail.open.at(-1) ?? "")?.error).toContain(
      "the recording has no comments",
    );
    keys("esc", "/", "s", "o", "c", "k", "e", "t", "enter", "enter");
    expect(store.get().detail.open).toEqual([uid]);
    expect(store.get().detail.known.get(uid)).toMatchObject({ events: [], error: undefined });
    keys("esc", "2");
    expect(store.get().inbox.error).toBe("the recording has no inbox of ana");
    keys("4");
    expect(store.get().cron.error).toBe("the recording has no runs here");
    keys("tab");
    expect(store.get().cron).toMatchObject({ jobs: [], error: undefined });
    keys("6");
    expect(store.get().messages.notice?.text).toBe("the recording has no fleet");
    keys("1", "3");
    expect(store.get().graph?.error).toBe("the recording has no graph of this issue");
  });

  test("reveals nothing of later messages", async () => {
    const { store, pass, keys } = played(
      [
        { at: 0, message: BOARD },
        { at: 900, message: INBOX },
      ],
      1,
    );
    await pass(0);
    keys("2");
    expect(store.get().inbox).toMatchObject({ requests: undefined, error: undefined });
    await pass(900);
    expect(store.get().inbox).toMatchObject({ requests: [], error: undefined });
  });

  test("follows the recorded person to another project", async () => {
    const scope: RecordedMessage = { type: "scope", scope: { project: { id: 2, name: "infra" } } };
    const other: RecordedMessage = {
      ...BOARD,
      issues: [issue(40, { project_id: 2, title: "Other" })],
    };
    const { store, pass, playing } = played(
      [
        { at: 0, message: BOARD },
        { at: 10, message: scope },
        { at: 20, message: other },
      ],
      1,
    );
    await pass(0);
    expect(store.get().issues.size).toBe(7);
    await pass(10);
    expect(store.get().scope.project?.name).toBe("infra");
    expect(store.get().issues.size).toBe(0);
    await pass(10);
    await playing;
    expect([...store.get().issues.values()].map(({ title }) => title)).toEqual(["Other"]);
  });
});
