import { expect, test } from "vitest";
import { Effects } from "../../src/screen/effects/effects.ts";
import { InterruptibleSleep } from "../../src/screen/effects/interruptible-sleep.ts";
import { WORK } from "../../src/screen/effects/work.ts";
import type { Message } from "../../src/screen/message.ts";
import type { Transport } from "../../src/shared/transport.ts";
import { FakeClock } from "../support/clock.ts";

const UNUSED: Transport = {
  call: () => Promise.reject(new Error("nothing is asked here")),
  text: () => Promise.reject(new Error("nothing is asked here")),
};

test("effects that end within the same second are redrawn once, at the end of that second", async () => {
  const clock = new FakeClock("2026-01-01T00:00:00.000Z");
  const told: Message[] = [];
  const effects = new Effects({
    ...{ clock, daemon: UNUSED, actor: "ann", signal: new AbortController().signal },
    dispatch: (message) => void told.push(message),
    here: async () => undefined,
    refresh: () => undefined,
    load: async () => WORK,
    pause: new InterruptibleSleep(clock),
  });
  const after = async (ms: number): Promise<number> => {
    clock.advance(ms);
    await new Promise(setImmediate);
    return told.length;
  };
  // These end between 2,001 and 3,000 ms; the last one ends later.
  for (const wait of [1, 99, 400, 500]) {
    await after(wait);
    effects.run({ effect: "wake", ms: 2000 });
  }
  await after(1);
  effects.run({ effect: "wake", ms: 2000 });
  expect(await after(1998)).toBe(0);
  expect(await after(1)).toBe(1);
  expect(await after(999)).toBe(1);
  expect(await after(1)).toBe(2);
  expect(told).toEqual([{ type: "tick" }, { type: "tick" }]);
});
