import { expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { ChangedIssues } from "../../src/screen/effects/changed-issues.ts";
import { InterruptibleSleep } from "../../src/screen/effects/interruptible-sleep.ts";
import type { LiveEvent, Message } from "../../src/screen/message.ts";
import { issue, liveEvent } from "../tui/support.ts";

const gone = (uids: readonly string[]): Message => {
  return { type: "issues", part: "changed", serial: 0, issues: [], gone: uids, truncated: false };
};

/** Makes a `ChangedIssues` whose waits end when the test says so, and whose reads the test answers. */
function changed(seen: readonly string[] = []) {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const waits: { readonly ms: number; readonly over: () => void }[] = [];
  const asked: (readonly string[])[] = [];
  const told: Message[] = [];
  let fails: Error | undefined;
  const clock: Pick<Clock, "sleep"> = {
    sleep: async (ms, signal) =>
      await new Promise<void>((resolve) => {
        waits.push({ ms, over: resolve });
        signal?.addEventListener("abort", () => resolve());
      }),
  };
  const pause = new InterruptibleSleep(clock);
  const subject = new ChangedIssues({
    clock,
    pause,
    signal: ended.signal,
    dispatch: (message) => void told.push(message),
    seen: () => new Set(seen),
    read: async (uids) => {
      asked.push(uids);
      if (fails !== undefined) throw fails;
      return gone(uids);
    },
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  /** Ends the oldest wait of that length. */
  const pass = async (ms: number): Promise<void> => {
    const at = waits.findIndex((wait) => wait.ms === ms);
    expect(waits.map((wait) => wait.ms)).toContain(ms);
    waits.splice(at, 1)[0]?.over();
    await settle();
  };
  const kinds = (): readonly string[] => told.map(({ type }) => type);
  const fail = (error: Error | undefined): void => void (fails = error);
  return { subject, pause, asked, told, kinds, waits, settle, pass, fail };
}

const uid = (at: number): string => issue(at).uid;
const about = (...numbers: readonly number[]): LiveEvent => liveEvent({ uids: numbers.map(uid) });

test("issues that change at the same time are read by one request, and reported with the result", async () => {
  const { subject, asked, kinds, settle, pass } = changed();
  subject.onEvent(about(1, 2));
  await settle();
  expect(asked).toEqual([[uid(1), uid(2)]]);
  expect(kinds()).toEqual(["events", "issues"]);
  subject.onEvent(about(3));
  subject.onEvent(about(3, 1));
  subject.readAgain([uid(4)]);
  await settle();
  expect(asked).toHaveLength(1);
  await pass(300);
  expect(asked.slice(1)).toEqual([[uid(3), uid(1), uid(4)]]);
  expect(kinds().slice(2)).toEqual(["events", "issues"]);
});

test.each([
  [200, 1],
  [201, 2],
])(
  "if %i issues change at once, %i requests are made, and the first asks for the visible issues",
  async (count, readings) => {
    const seen = [uid(count), uid(count - 1), uid(999)];
    const { subject, asked, settle, pass } = changed(seen);
    subject.readAgain(Array.from({ length: count }, (_none, at) => uid(at + 1)));
    await settle();
    for (let at = 1; at < readings; at++) await pass(300);
    expect(asked).toHaveLength(readings);
    expect(asked[0]).toEqual(expect.arrayContaining(seen.slice(0, 2)));
    expect(asked[0]).toHaveLength(200);
    expect(new Set(asked.flat()).size).toBe(count);
  },
);

test("an issue that changes while it is read is read once more", async () => {
  const { subject, asked, settle, pass } = changed();
  subject.readAgain([uid(1)]);
  subject.readAgain([uid(1)]);
  await settle();
  await pass(300);
  expect(asked).toEqual([[uid(1)], [uid(1)]]);
});

test("a failed read is repeated at growing intervals, reported once, and never dropped", async () => {
  const { subject, asked, told, kinds, settle, pass, fail } = changed();
  fail(new Error("too busy"));
  subject.onEvent(about(1));
  await settle();
  expect(kinds()).toEqual(["events", "behind", "failed"]);
  expect(told.slice(1)).toEqual([
    { type: "behind", behind: true },
    { type: "failed", text: "too busy" },
  ]);
  await pass(300);
  for (const ms of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    await pass(ms);
    await pass(300);
  }
  expect(asked).toHaveLength(8);
  expect(kinds()).toHaveLength(3);
  // An event during a read is reported at once, and its issue is read with the rest.
  subject.onEvent(about(2));
  await settle();
  expect([asked.length, kinds().at(-1)]).toEqual([8, "events"]);
  await pass(300);
  fail(undefined);
  await pass(30_000);
  expect(asked.at(-1)).toEqual([uid(1), uid(2)]);
  expect(told.at(-1)).toEqual({ type: "behind", behind: false });
  fail(new Error("again"));
  await pass(300);
  subject.readAgain([uid(3)]);
  await settle();
  expect(kinds().slice(-2)).toEqual(["behind", "failed"]);
  await pass(1000);
  expect(asked.at(-1)).toEqual([uid(3)]);
});

test("issues that could not be read are requested at once when the daemon is reachable again", async () => {
  const { subject, pause, asked, settle, pass, fail } = changed();
  fail(new Error("gone"));
  subject.readAgain([uid(1)]);
  await settle();
  await pass(300);
  fail(undefined);
  pause.cut();
  await settle();
  expect(asked).toEqual([[uid(1)], [uid(1)]]);
  pause.cut();
  await settle();
  expect(asked).toHaveLength(2);
});
