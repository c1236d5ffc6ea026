import { expect, test } from "vitest";
import { PassPause } from "../../src/daemon/pass-pause.ts";

/** A clock that a test sets, in ms. */
function pauseAt(nowMs: number) {
  const clock = { at: nowMs, nowMs: () => clock.at };
  const pause = new PassPause(clock);
  const pass = async (ms: number): Promise<void> =>
    await pause.after(async () => {
      clock.at += ms;
      await Promise.resolve();
    });
  return { clock, pause, pass };
}

test.each([
  ["50 ms before the first pass", [], 0, 50],
  ["50 ms after a pass that took no time", [0], 0, 50],
  ["50 ms after a pass of 12 ms, four times its length", [12], 0, 50],
  ["four times as long as a pass of 13 ms", [13], 0, 52],
  ["four times as long as the last of several passes", [200, 30], 0, 120],
  ["only for the rest of the pause", [40], 100, 60],
  ["50 ms if the pause is over", [40], 160, 50],
  ["at most a second", [10_000], 0, 1000],
  ["at most a second if the clock was set back meanwhile", [100], -3_600_000, 1000],
  ["50 ms if the clock was set forward meanwhile", [100], 3_600_000, 50],
] as const)("writes of a copy wait %s before they are sent", async (_what, passes, later, ms) => {
  const { clock, pause, pass } = pauseAt(1_000_000);
  for (const length of passes) await pass(length);
  clock.at += later;
  expect(pause.ms).toBe(ms);
});

test("a pass that fails is followed by a pause too, and its error is thrown", async () => {
  const { clock, pause } = pauseAt(1_000_000);
  const failing = pause.after(async () => {
    clock.at += 100;
    await Promise.resolve();
    throw new Error("the hub is gone");
  });
  await expect(failing).rejects.toThrow("the hub is gone");
  expect(pause.ms).toBe(400);
});
