import { expect, test } from "vitest";
import { TransportGate } from "../../src/daemon/transport-gate.ts";
import { FakeClock } from "../support/clock.ts";

function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, resolve };
}

test("the gate closes only after the running requests have ended, and later requests wait until it opens", async () => {
  const gate = new TransportGate(new FakeClock());
  const [order, first, moving] = [[] as string[], held(), held()];
  const passing = gate.through("P", async () => {
    await first.promise;
    order.push("first");
  });
  const closed = gate.closed("P", async () => {
    order.push("closed");
    await moving.promise;
    order.push("open");
  });
  const next = gate.through("P", async () => await Promise.resolve(order.push("next")));
  const other = gate.through("Q", async () => await Promise.resolve(order.push("other")));
  await other;
  first.resolve();
  await passing;
  moving.resolve();
  await Promise.all([closed, next]);
  expect(order).toEqual(["other", "first", "closed", "open", "next"]);
});

test("a request that waits at the gate may run between two closings, which take turns", async () => {
  const gate = new TransportGate(new FakeClock());
  const order: string[] = [];
  const closing = async (name: string): Promise<void> =>
    await gate.closed("P", async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
    });
  await Promise.all([
    closing("a"),
    gate.through("P", async () => await Promise.resolve(order.push("through"))),
    closing("b"),
  ]);
  expect(order.filter((one) => one !== "through")).toEqual([
    "a begins",
    "a ends",
    "b begins",
    "b ends",
  ]);
  const at = order.indexOf("through");
  expect(["a ends", "b ends"]).toContain(order[at - 1]);
});

test("a request that keeps the gate from closing for ten seconds is told to end", async () => {
  const clock = new FakeClock();
  const gate = new TransportGate(clock);
  const ended = gate.through("P", async (cut) => {
    await new Promise((resolve) => cut.addEventListener("abort", resolve));
    return "cut";
  });
  const closed = gate.closed("P", async () => await Promise.resolve("moved"));
  await Promise.resolve();
  clock.advance(10_000);
  expect(await Promise.all([ended, closed])).toEqual(["cut", "moved"]);
});

test("a request that fails lets the gate close, and a closing that fails opens the gate again", async () => {
  const gate = new TransportGate(new FakeClock());
  const failing = gate.through("P", async () => await Promise.reject(new Error("no")));
  const closed = gate.closed("P", async () => await Promise.reject(new Error("not moved")));
  await expect(failing).rejects.toThrow("no");
  await expect(closed).rejects.toThrow("not moved");
  expect(await gate.through("P", async () => await Promise.resolve(1))).toBe(1);
});
