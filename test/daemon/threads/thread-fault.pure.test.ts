import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { threadFault } from "../../../src/daemon/threads/thread-fault.ts";

const WHAT_NOW = { message: "too large", hint: "ask for less" };

async function endOf(code: string): Promise<unknown> {
  const worker = new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } });
  return await new Promise((resolve) => worker.once("error", resolve));
}

test("a request whose thread ran out of memory is answered with that reason and advice", async () => {
  const error = await endOf("const kept = []; for (;;) kept.push(new Array(10_000).fill({}));");
  expect(threadFault(error, WHAT_NOW)).toMatchObject({
    code: "unavailable",
    data: { reason: "out_of_memory" },
    ...WHAT_NOW,
  });
});

test("a thread that ended for any other reason passes on its error", async () => {
  const error = await endOf("throw new Error('a bug')");
  expect(threadFault(error, WHAT_NOW)).toBe(error);
});
