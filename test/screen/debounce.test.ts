import { expect, test } from "vitest";
import { Throttle } from "../../src/screen/effects/debounce.ts";
import { FakeClock } from "../support/clock.ts";

test.each([
  ["a read that took no time causes no pause", 0, 0],
  ["the pause is seven times as long as the read took", 100, 700],
  ["the pause is five seconds at most", 10_000, 5000],
])(
  "%s: after a read of %i ms the same thing is not read again for %i ms",
  async (_how, took, rest) => {
    const clock = new FakeClock();
    const rests = new Throttle(clock);
    const work = async (): Promise<void> => {
      clock.advance(took);
      await Promise.resolve();
    };
    expect(rests.left("fleet")).toBe(0);
    await rests.during("fleet", work);
    expect([rests.left("fleet"), rests.left("graph")]).toEqual([rest, 0]);
    clock.advance(rest);
    expect(rests.left("fleet")).toBe(0);
  },
);

test("the pause between reads is five seconds at most if the clock is set back", async () => {
  const clock = new FakeClock();
  const rests = new Throttle(clock);
  await rests.during("inbox", async () => {
    clock.advance(100);
    await Promise.resolve();
  });
  clock.advance(-3_600_000);
  expect(rests.left("inbox")).toBe(5000);
});

test("a failed read delays the next one too, and the failure is reported", async () => {
  const clock = new FakeClock();
  const rests = new Throttle(clock);
  const failing = rests.during("fleet", async () => {
    clock.advance(10);
    await Promise.reject(new Error("no daemon"));
  });
  await expect(failing).rejects.toThrow("no daemon");
  expect(rests.left("fleet")).toBe(70);
});
