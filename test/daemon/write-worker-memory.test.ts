import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { WriteWorker } from "../../src/daemon/write-worker/write-worker.ts";
import { daemonSettings } from "../support/daemon.ts";

/** Runs a large write in a thread that asks for a pause of writes like a real one and runs out of memory at the end. */
async function bulkWrite(wrote: number | null): Promise<unknown> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ id, pause }) => {
      if (pause === undefined) return parentPort.postMessage({ id, wants: "pause" });
      parentPort.postMessage({ id, wrote: ${wrote} });
      const kept = [];
      for (;;) kept.push(new Array(10_000).fill({}));
    });`;
  class Thread extends Worker {
    constructor() {
      super(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } });
    }
  }
  const builtin = process.getBuiltinModule.bind(process) as (name: string) => object;
  const threads = vi.spyOn(process, "getBuiltinModule");
  threads.mockImplementation(((name: string) =>
    name === "node:worker_threads" ? { Worker: Thread } : builtin(name)) as never);
  onTestFinished(() => threads.mockRestore());
  const writeWorker = new WriteWorker({
    database: { dsn: "unused" },
    settings: daemonSettings().ops,
    store: {
      pauseWrites: async (work) => void (await work()),
      erase: async () => "erased",
      read: async () => {
        throw new Error("nothing is read");
      },
    },
    clock: systemClock,
    log: silentLog,
  });
  onTestFinished(async () => await writeWorker.stop());
  const request = {
    route: "importIssues",
    who: { kind: "none", local: true },
    method: "POST",
    url: "/",
    params: {},
    headers: {},
    fence: undefined,
    body: new Uint8Array(1),
  } as const;
  return await writeWorker.run(request).catch((error: unknown) => error);
}

test("a large write whose thread runs out of memory before its commit changed nothing and says so", async () => {
  expect(await bulkWrite(null)).toMatchObject({
    code: "unavailable",
    data: { reason: "out_of_memory" },
    message: expect.stringContaining("nothing was changed"),
  });
});

test("one whose thread runs out of memory at the answer says that the change was made", async () => {
  expect(await bulkWrite(7)).toMatchObject({
    code: "unavailable",
    data: { reason: "out_of_memory" },
    message: expect.stringContaining("the change was made"),
    hint: expect.stringContaining("do not repeat it"),
  });
});
