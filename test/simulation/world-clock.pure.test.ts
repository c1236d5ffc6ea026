import fc from "fast-check";
import { expect, test } from "vitest";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { chanceOf } from "../support/fleet/work.ts";
import { WorldClock } from "./world/clock.ts";
import { Order } from "./world/order.ts";

const order = new Order(fc.schedulerFor([]), chanceOf(1), async () => await yieldToLoop(), 100);

test("waits that a dead daemon left behind on SQLite end by turns of the event loop, not by real time", async () => {
  const sleepers = new WorldClock(order, "sqlite").sleepers("d0");
  const asleep = sleepers.sleep(50);
  sleepers.end();
  expect(await turnsOf(asleep)).toBeLessThan(60);
  expect(await turnsOf(sleepers.sleep(50))).toBeLessThan(60);
  expect(await turnsOf(sleepers.sleep(50, AbortSignal.abort()))).toBeLessThan(3);
});

async function turnsOf(sleeping: Promise<void>): Promise<number> {
  let isAwake = false;
  void sleeping.then(() => {
    isAwake = true;
  });
  let turns = 0;
  for (; !isAwake; turns += 1) await yieldToLoop();
  return turns;
}
