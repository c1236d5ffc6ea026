import { expect, test } from "vitest";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { Slots } from "../../src/connectors/slots.ts";

test("at most four calls run at a time, and the others follow in their order", async () => {
  const slots = new Slots();
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const calls = [0, 1, 2, 3, 4, 5].map(async (number) =>
    slots.run(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  for (let turn = 0; turn < 20; turn += 1) await yieldToLoop();
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[1]?.();
  for (let turn = 0; turn < 20; turn += 1) await yieldToLoop();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  ends[0]?.();
  for (let turn = 0; turn < 20; turn += 1) await yieldToLoop();
  for (const end of ends) end();
  await Promise.all(calls);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test("no two calls begin in the same turn of the event loop, so that requests are answered between them", async () => {
  const slots = new Slots();
  let turn = 0;
  const turns: number[] = [];
  const calls = [0, 1, 2, 3].map(async () => slots.run(async () => void turns.push(turn)));
  while (turns.length < 4 && turn < 100) {
    await yieldToLoop();
    turn += 1;
  }
  await Promise.all(calls);
  expect(new Set(turns).size).toBe(4);
});
