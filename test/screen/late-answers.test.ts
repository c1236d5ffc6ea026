import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { Effects } from "../../src/screen/effects/effects.ts";
import { InterruptibleSleep } from "../../src/screen/effects/interruptible-sleep.ts";
import { WORK } from "../../src/screen/effects/work.ts";
import type { Message } from "../../src/screen/message.ts";
import type { CallParts } from "../../src/shared/call-parts.ts";
import type { Transport } from "../../src/shared/transport.ts";

/** Effects whose graph is read when the test answers; each answer names the depth that was asked for. */
function reading() {
  const answers: (() => void)[] = [];
  const daemon: Transport = {
    call: async (_id, input) =>
      await new Promise((resolve) => {
        const { depth } = (input as CallParts).query ?? {};
        answers.push(() => resolve({ depth } as never));
      }),
    text: () => Promise.reject(new Error("nothing else is read")),
  };
  const depths: unknown[] = [];
  const effects = new Effects({
    ...{ clock: systemClock, daemon, actor: "ann", signal: new AbortController().signal },
    dispatch: (message: Message) => {
      if (message.type === "graph") depths.push(message.graph.data?.depth);
    },
    here: async () => undefined,
    refresh: () => undefined,
    load: async () => WORK,
    pause: new InterruptibleSleep(systemClock),
  });
  const at = { project_id: 1, ref: "abc4" };
  const read = (depth: number): void =>
    effects.run({ effect: "load-graph", source: "A", at, depth, hideDone: true, wait: 0 });
  const answer = async (which: number): Promise<readonly unknown[]> => {
    await expect.poll(() => answers.length).toBeGreaterThan(which);
    answers[which]?.();
    await new Promise(setImmediate);
    return depths;
  };
  return { read, answer };
}

test("answers that arrive in order are all shown", async () => {
  const { read, answer } = reading();
  read(3);
  read(2);
  expect(await answer(0)).toEqual(["3"]);
  expect(await answer(1)).toEqual(["3", "2"]);
});

test("an answer that arrives after the answer to a later request is dropped", async () => {
  const { read, answer } = reading();
  read(3);
  read(2);
  read(1);
  expect(await answer(1)).toEqual(["2"]);
  expect(await answer(0)).toEqual(["2"]);
  expect(await answer(2)).toEqual(["2", "1"]);
});
