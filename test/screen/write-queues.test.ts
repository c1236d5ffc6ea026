import { expect, test } from "vitest";
import type { EffectOf } from "../../src/screen/effect.ts";
import { WriteQueues } from "../../src/screen/effects/write-queues.ts";
import type { At } from "../../src/screen/writes/writes.ts";

const at = (uid: string): At => ({ uid, project_id: 1, ref: uid, name: `web#${uid}` });
const ask = (uid: string, does: "reconcile" | "pause" = "reconcile"): EffectOf<"write"> => ({
  ...{ effect: "write", id: 1 },
  write: { act: "bridge", at: at(uid), does, body: {}, words: [] },
});
const comment = (uid: string): EffectOf<"write"> => ({
  ...{ effect: "write", id: 2 },
  write: { act: "comment", at: at(uid), body: "seen", key: "k" },
});

/** Queues whose writes end when the test says so, and a log of what began and ended. */
function sending() {
  const queues = new WriteQueues();
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const send = (effect: EffectOf<"write">, name: string): void =>
    void queues.send(effect, async () => {
      log.push(`+${name}`);
      await new Promise<void>((resolve) => ends.push(resolve));
      log.push(`-${name}`);
    });
  const end = async (which: number): Promise<void> => {
    ends[which]?.();
    await new Promise(setImmediate);
  };
  return { queues, log, send, end };
}

test("bridges that do not answer hold up no other write, not even to their own issue", () => {
  const { log, send } = sending();
  for (let number = 1; number <= 20; number += 1) send(ask(`k${number}`), "bridge");
  expect(log).toEqual(Array.from({ length: 8 }, () => "+bridge"));
  send(comment("k1"), "comment");
  expect(log.at(-1)).toBe("+comment");
  send(ask("k2", "pause"), "pause");
  expect(log.at(-1)).toBe("+pause");
});

test("what is asked of one bridge stays in order", async () => {
  const { log, send, end } = sending();
  send(ask("k1"), "first");
  send(ask("k1"), "second");
  await end(0);
  expect(log).toEqual(["+first", "-first", "+second"]);
});

test.each([
  ["comment", comment("k1")],
  ["pause", ask("k1", "pause")],
])("the end of the program waits for a %s, and for no reconcile", async (name, effect) => {
  const { queues, log, send, end } = sending();
  send(ask("k1"), "reconcile");
  send(effect, name);
  const settled = queues.settled().then(() => log.push("settled"));
  await new Promise(setImmediate);
  expect(log).toEqual(["+reconcile", `+${name}`]);
  await end(1);
  await settled;
  expect(log).toEqual(["+reconcile", `+${name}`, `-${name}`, "settled"]);
});
