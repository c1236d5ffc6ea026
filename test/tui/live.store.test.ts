import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Clock, instantToMs, msToInstant, systemClock } from "../../src/base/clock.ts";
import type { Client } from "../../src/client/client.ts";
import { transportOf } from "../../src/client/transport.ts";
import type { LiveState } from "../../src/screen/connection/state.ts";
import { ChangedIssues } from "../../src/screen/effects/changed-issues.ts";
import { InterruptibleSleep } from "../../src/screen/effects/interruptible-sleep.ts";
import { follow } from "../../src/screen/effects/live.ts";
import type { Message } from "../../src/screen/message.ts";
import { streamOf } from "../../tui/event-stream.ts";
import { messageLines } from "../../tui/screens/message.ts";
import { titleLine } from "../../tui/screens/title.ts";
import { painter } from "../../tui/style.ts";
import { Local } from "../client/local.ts";
import { json, PONG, standIn } from "../client/stand-in.ts";
import { folderWith } from "../config/folder.ts";
import { FakeClock } from "../support/clock.ts";
import { issue, NOW, screen } from "./support.ts";

/** A clock whose waits end at once, after other work had its turn. */
const hasty = {
  ...systemClock,
  sleep: async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve)),
};

const refusal = (status: number): string =>
  json(status, { status, error: { code: "not_allowed_here", message: "not here" } });

const event = (event_id: number) => ({
  event_id,
  event_uid: `01JEVENT${String(event_id).padStart(18, "0")}`,
  type: "issue.labeled",
  actor: "claude",
  created_at: NOW,
  project_id: 1,
  issue_uid: issue(event_id).uid,
  payload: { label: "bug" },
});

const answer = (ids: readonly number[], next_after_id: number, reset?: number): string =>
  json(200, {
    reset_required: reset !== undefined,
    ...(reset === undefined ? {} : { reset_after_id: reset }),
    events: ids.map(event),
    next_after_id,
  });

const HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const HEARTBEAT = chunk(": keepalive\n\n");
/** What a daemon sends first. */
const CONNECTED = chunk(": connected\n\n");
const eventChunk = (id: number): string =>
  chunk(`id: ${id}\nevent: issue.labeled\ndata: ${JSON.stringify(event(id))}\n\n`);

/**
 * A daemon that refuses its stream to everybody until `open` is called, and answers each read of the log with the next of
 * these texts. `opened` is what the open stream brings.
 */
async function closed(status: number, answers: readonly string[], opened?: string) {
  const cursors: string[] = [];
  const from: (string | undefined)[] = [];
  let isOpen = false;
  const server = await standIn((request) => {
    if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
    if (request.startsWith("GET /api/v1/events/stream")) {
      from.push(/last-event-id: (\d+)/i.exec(request)?.[1]);
      return isOpen ? (opened ?? HEAD + CONNECTED + eventChunk(10)) : refusal(status);
    }
    const after = /after_id=(\d+)/.exec(request)?.[1] ?? "none";
    return answers[cursors.push(after) - 1] ?? answer([], Number(after));
  }, "tcp");
  const client = await new Local(folderWith()).remoteClient(server);
  const open = (): void => void (isOpen = true);
  return { client, cursors, streams: () => from.length, from: () => from, open };
}

/** A daemon that answers nothing but who it is. */
async function hung(): Promise<Client> {
  const server = await standIn(
    (request) => (request.startsWith("GET /api/v1/ping ") ? json(200, PONG) : refusal(503)),
    "tcp",
  );
  return await new Local(folderWith()).remoteClient(server);
}

/**
 * How the screen learned of changes. A hasty clock waits for no answer, so what is said until the first one is left out.
 */
const lives = (told: readonly Message[]): readonly LiveState[] =>
  told.flatMap((one) => (one.type === "live" && one.live !== "reconnecting" ? [one.live] : []));

const NOTHING: Message = {
  type: "issues",
  part: "changed",
  serial: 0,
  issues: [],
  gone: [],
  truncated: false,
};

function followed(client: Client, sleep: Clock["sleep"] = hasty.sleep, clock: Clock = hasty) {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const told: Message[] = [];
  const reload = vi.fn<(isOlder: boolean) => void>();
  const { signal } = ended;
  const dispatch = (message: Message): void => void told.push(message);
  const known = { clock, signal, dispatch };
  const from = { daemon: transportOf(client), stream: streamOf(client, clock) };
  const cut = vi.fn<() => void>();
  const again = Promise.withResolvers<void>();
  const untilCut = async (): Promise<void> => await again.promise;
  const pause = { sleep, cut, untilCut };
  const changed = new ChangedIssues({
    ...known,
    pause,
    read: async () => NOTHING,
    seen: () => new Set(),
  });
  const done = follow({ ...known, ...from, pause, after: { cursor: 4 }, changed, reload });
  const ids = (): readonly number[] =>
    told.flatMap((one) => (one.type === "events" ? one.events.map(({ id }) => id) : []));
  return { done, told, ids, reload, cut, tryAgain: again.resolve };
}

test.each([401, 403, 404, 405])(
  "a stream that is refused with %i is requested once, and the log is polled instead",
  async (status) => {
    const { client, cursors, streams } = await closed(status, [
      answer([5, 6], 6),
      answer([], 6),
      answer([9], 9),
    ]);
    const { told, ids } = followed(client);
    await expect.poll(() => ids()).toEqual([5, 6, 9]);
    await expect.poll(() => cursors.slice(0, 4)).toEqual(["4", "6", "6", "9"]);
    expect(streams()).toBe(1);
    expect(told).toContainEqual({ type: "live", live: "polling" });
  },
);

test.each([400, 406, 429, 502, 503])(
  "a stream that is refused with %i is requested again, and the log is polled until it works",
  async (status) => {
    const { client, streams, open } = await closed(status, [answer([5, 6], 6), answer([9], 9)]);
    const { told, ids } = followed(client);
    await expect.poll(() => ids()).toEqual([5, 6, 9]);
    await expect.poll(streams).toBeGreaterThan(2);
    expect(told).toContainEqual({ type: "live", live: "polling" });
    expect(told.filter(({ type }) => type === "failed")).toEqual([]);
    open();
    await expect.poll(() => lives(told)).toEqual(["polling", "live"]);
  },
);

test("events that were polled while the stream was closed are not delivered again", async () => {
  const { client, from, open } = await closed(502, [answer([5, 6], 6), answer([9], 9)]);
  const { ids } = followed(client);
  await expect.poll(() => ids()).toEqual([5, 6, 9]);
  open();
  await expect.poll(() => ids()).toEqual([5, 6, 9, 10]);
  expect(from().at(-1)).toBe("9");
});

test("a stream that opens and delivers nothing does not count as live, and the log is polled meanwhile", async () => {
  const { client, open, streams } = await closed(502, [answer([5], 5), answer([7], 7)], HEAD);
  open();
  const { told, ids } = followed(client);
  await expect.poll(() => ids()).toEqual([5, 7]);
  expect(streams()).toBe(1);
  expect(lives(told)).toEqual(["polling"]);
});

test("a log that was reset is read again from the position that the daemon names", async () => {
  const { client, cursors } = await closed(403, [answer([], 4, 70), answer([71], 71)]);
  const { ids, reload } = followed(client);
  await expect.poll(() => ids()).toEqual([71]);
  expect(cursors.slice(0, 2)).toEqual(["4", "70"]);
  expect(reload.mock.calls).toEqual([[false]]);
});

test("a log that ends before the position that was read last counts as an older copy of the data", async () => {
  const { client } = await closed(403, [answer([], 2, 2), answer([3], 3)]);
  const { ids, reload } = followed(client);
  await expect.poll(() => ids()).toEqual([3]);
  expect(reload.mock.calls).toEqual([[true]]);
});

test("if the log is refused too, the reason is shown once, and the log is requested again", async () => {
  const { client } = await closed(401, [refusal(401), refusal(401), refusal(401), answer([5], 5)]);
  const { told, ids } = followed(client);
  await expect.poll(() => ids()).toEqual([5]);
  expect(told.filter(({ type }) => type === "failed")).toHaveLength(1);
});

test("a caller whom the daemon refuses is told why once, and the screen tries again only when the person asks", async () => {
  const revoked = json(403, { status: 403, error: { code: "token_invalid", message: "revoked" } });
  const { client, cursors, streams } = await closed(403, [revoked, answer([5], 5)]);
  const { told, ids, tryAgain } = followed(client);
  await expect.poll(() => told.at(-1)?.type).toBe("failed");
  const text = expect.stringMatching(/^revoked: .*svc tokens create/);
  expect(told.slice(-2)).toEqual([
    { type: "live", live: "refused", why: text },
    { type: "failed", text },
  ]);
  expect(lives(told)).toEqual(["refused"]);
  // Everything that waited for a turn of the event loop has had it.
  for (let turn = 0; turn < 20; turn++) await hasty.sleep();
  expect([streams(), cursors]).toEqual([1, ["4"]]);
  tryAgain();
  await expect.poll(() => ids()).toEqual([5]);
  expect(told.filter(({ type }) => type === "failed")).toHaveLength(1);
});

test("every wait for a retry ends as soon as the daemon answers", async () => {
  const { client } = await closed(403, [refusal(503), answer([5], 5)]);
  const { ids, cut } = followed(client);
  await expect.poll(() => ids()).toEqual([5]);
  expect(cut).toHaveBeenCalledTimes(1);
});

test("a daemon that does not answer is tried again after two seconds at the most", async () => {
  const client = await hung();
  const waits: number[] = [];
  followed(client, async (ms) => {
    waits.push(ms);
    await hasty.sleep();
  });
  await expect.poll(() => waits.length).toBeGreaterThan(20);
  expect(Math.max(...waits)).toBe(2000);
});

test("a wait for a retry ends at once when the person asks for it, and the next wait has its full length", async () => {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const waits: AbortSignal[] = [];
  const pause = new InterruptibleSleep({
    sleep: async (_ms, signal) =>
      await new Promise((resolve) => {
        if (signal === undefined) return;
        waits.push(signal);
        signal.addEventListener("abort", () => resolve(), { once: true });
      }),
  });
  const first = pause.sleep(2000, ended.signal);
  pause.cut();
  await first;
  void pause.sleep(2000, ended.signal);
  expect(waits.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test.each([
  ["ctrl+r", ["ctrl+r"], "it is tried again now"],
  ["a change that is refused", ["x"], "nothing was sent, it is tried again now"],
])(
  "%s makes the screen try an unresponsive daemon again, and a message says so",
  (_what, keys, expected) => {
    const session = screen(80, 24);
    session.tell({ type: "live", live: "reconnecting" });
    const said = () =>
      stripVTControlCharacters(messageLines(session.state, painter("none"), 80).join("\n"));
    expect(said()).toContain("the daemon does not answer: ctrl+r tries it now");
    const effects = session.keys(...keys).effects.filter(({ effect }) => effect !== "wake");
    expect(effects).toEqual([{ effect: "reconnect" }]);
    expect(said()).toContain(expected);
  },
);

test("a form that cannot be sent says when it can be sent again, however often that happens", () => {
  const session = screen(80, 24).keys("n").type("Late");
  for (let time = 0; time < 2; time += 1) {
    session.tell({ type: "live", live: "reconnecting" });
    expect(session.keys("ctrl+s").effects).toContainEqual({ effect: "reconnect" });
    expect(session.state.dialog).toMatchObject({
      saving: false,
      error:
        "the daemon does not answer: nothing was sent, it is tried again now; send it again once the connection is back",
    });
    session.tell({ type: "live", live: "live" });
    expect(session.state.dialog).toMatchObject({
      error: undefined,
      notes: ["the connection is back: send it again"],
    });
  }
  session.keys("ctrl+s");
  expect(session.writes).toMatchObject([{ act: "create", title: "Late" }]);
});

test("an error that the form itself found stays when the connection is back", () => {
  const session = screen(80, 24).keys("n").type("L");
  session.tell({ type: "live", live: "reconnecting" });
  session.keys("ctrl+s", "backspace", "ctrl+s");
  expect(session.state.dialog).toMatchObject({ error: "the title is empty" });
  session.tell({ type: "live", live: "live" });
  expect(session.state.dialog).toMatchObject({ error: "the title is empty" });
});

test("a stream without even heartbeats is reported as silent, until something arrives", async () => {
  let stream: { write(text: string): unknown } | undefined;
  const server = await standIn((request, socket) => {
    if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
    stream = socket;
    return HEAD + CONNECTED;
  }, "tcp");
  const client = await new Local(folderWith()).remoteClient(server);
  const clock = new FakeClock(NOW);
  const { told } = followed(client, hasty.sleep, clock);
  const last = (): Message | undefined => told.at(-1);
  await expect.poll(last).toEqual({ type: "live", live: "live" });
  clock.advance(29_000);
  stream?.write(HEARTBEAT);
  await expect
    .poll(() => {
      clock.advance(10_000);
      return last();
    })
    .toMatchObject({ type: "silent", since: expect.any(String) });
  stream?.write(HEARTBEAT);
  await expect.poll(last).toEqual({ type: "silent", since: undefined });
});

test("a silent stream is opened again, from the position after its last event", async () => {
  const cursors: unknown[] = [];
  const server = await standIn((request) => {
    if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
    const cursor = /last-event-id: (\d+)/i.exec(request)?.[1];
    cursors.push(cursor);
    return cursor === "4" ? HEAD + eventChunk(7) : HEAD;
  }, "tcp");
  const client = await new Local(folderWith()).remoteClient(server);
  const clock = new FakeClock(NOW);
  const { told, ids } = followed(client, hasty.sleep, clock);
  await expect.poll(() => told).toContainEqual({ type: "live", live: "live" });
  await expect.poll(() => ids()).toEqual([7]);
  await expect
    .poll(() => {
      clock.advance(10_000);
      return cursors;
    })
    .toEqual(["4", "7"]);
  const silent = told.filter(({ type }) => type === "silent");
  expect(silent).toEqual([
    { type: "silent", since: NOW },
    { type: "silent", since: undefined },
  ]);
});

test("the title bar counts how long nothing arrived, and is dim", () => {
  const session = screen(100, 24);
  session.tell({ type: "silent", since: msToInstant(instantToMs(NOW) - 45_000) });
  const paint = painter("none");
  const line = titleLine(session.state, paint, 100);
  expect(stripVTControlCharacters(line).trimEnd()).toMatch(/ silent 45s$/);
  expect(line).toBe(paint("dim", stripVTControlCharacters(line)));
  session.tell({ type: "silent", since: undefined });
  expect(titleLine(session.state, paint, 100)).toContain(" live ");
});

test("the title bar says how the screen learns of changes, and is dim while nobody answers", () => {
  const session = screen(100, 24);
  const paint = painter("none");
  const title = (live: LiveState) => {
    session.tell({ type: "live", live });
    const line = titleLine(session.state, paint, 100);
    const text = stripVTControlCharacters(line);
    const role = (["inverse", "dim"] as const).find((one) => line === paint(one, text));
    return { role, ends: text.trimEnd().split(" ").at(-1) };
  };
  expect(title("polling")).toEqual({ role: "inverse", ends: "polling" });
  expect(title("reconnecting")).toEqual({ role: "dim", ends: "reconnecting" });
  expect(title("refused")).toEqual({ role: "dim", ends: "refused" });
  expect(title("live")).toEqual({ role: "inverse", ends: "live" });
  session.tell({ type: "behind", behind: true });
  expect(title("live")).toEqual({ role: "dim", ends: "behind" });
  expect(title("reconnecting")).toEqual({ role: "dim", ends: "reconnecting" });
  session.tell({ type: "behind", behind: false });
  expect(title("polling")).toEqual({ role: "inverse", ends: "polling" });
  session.tell({ type: "auth", quickClose: false, readOnly: "only reads" });
  expect(title("polling")).toEqual({ role: "inverse", ends: "read-only" });
  expect(title("reconnecting")).toEqual({ role: "dim", ends: "reconnecting" });
});

test("a daemon that refuses the screen gets no requests until the person presses ctrl+r", () => {
  const session = screen(100, 24);
  const why = "the token is unknown or was revoked: ask for a new one";
  session.tell({ type: "live", live: "refused", why });
  const said = () =>
    stripVTControlCharacters(messageLines(session.state, painter("none"), 100).join("\n"));
  expect(said()).toContain(`${why}   ctrl+r tries again`);
  expect(session.keys("x").effects.map(({ effect }) => effect)).not.toContain("write");
  expect(session.keys("ctrl+r").effects).toContainEqual({ effect: "reconnect" });
  const reads = session.tell({ type: "live", live: "live" });
  expect(reads).toContainEqual({ effect: "load-auth" });
});

test("a form that a refused screen cannot send keeps its text", () => {
  const session = screen(80, 24).keys("n").type("Late");
  session.tell({ type: "live", live: "refused", why: "the token was revoked" });
  session.keys("ctrl+s");
  expect(session.state.dialog).toMatchObject({
    saving: false,
    error: "the token was revoked; send it again once the connection is back",
  });
});

test("a caller with read access only is told why at once, and again only when the daemon says so", () => {
  const session = screen(80, 24);
  session.tell({ type: "auth", quickClose: false, readOnly: "the bootstrap token only reads" });
  session.tell({ type: "live", live: "live" });
  const writes = () => session.keys("x").effects.some(({ effect }) => effect === "write");
  expect(writes()).toBe(false);
  expect(session.state.messages.notice?.text).toContain("the bootstrap token only reads");
  expect(session.keys("ctrl+r").effects).toContainEqual({ effect: "load-auth" });
  expect(writes()).toBe(false);
  session.tell({ type: "auth", quickClose: true });
  expect(writes()).toBe(true);
});

test.each([
  ["the board", ["1"], ["load-inbox", "load-projects"]],
  ["the fleet", ["6"], ["load-inbox", "load-projects", "load-fleet"]],
  ["cron", ["4"], ["load-inbox", "load-cron", "load-projects"]],
  ["the graph", ["3"], ["load-inbox", "load-graph", "load-projects"]],
  ["an issue", ["enter"], ["load-inbox", "load-projects", "load-detail"]],
])(
  "when the daemon answers again, what %s shows is read again, and the list of issues is not",
  (_what, keys, reads) => {
    const session = screen(80, 24).keys(...keys);
    const asked = (live: "live" | "polling" | "reconnecting") =>
      session.tell({ type: "live", live }).map(({ effect }) => effect);
    expect(asked("live")).toEqual([]);
    expect(asked("reconnecting")).toEqual([]);
    expect(asked("reconnecting")).toEqual([]);
    session.keys("ctrl+r");
    expect(asked("live")).toEqual(["load-auth", ...reads]);
    expect(asked("polling")).toEqual([]);
    expect(asked("reconnecting")).toEqual([]);
    expect(asked("polling")).toEqual(["load-auth", ...reads]);
  },
);

test("a reload reads what the visible screen shows", () => {
  const kinds = (...keys: readonly string[]) =>
    screen(100, 24)
      .keys(...keys)
      .tell({ type: "reload" })
      .map(({ effect }) => effect);
  expect(kinds()).not.toContain("load-cron");
  expect(kinds("4")).toContain("load-cron");
  expect(kinds("3")).toContain("load-graph");
  expect(kinds("6")).toContain("load-fleet");
});
