import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { silentLog } from "../../../src/base/log.ts";
import { SvcError } from "../../../src/contract/errors.ts";
import { WriteWorker } from "../../../src/daemon/write-worker/write-worker.ts";
import { daemonSettings } from "../../support/daemon.ts";

const PROOF = { lastEventId: 6, mark: undefined };

/**
 * Runs a large write in a thread that asks for a pause of writes like a real one, sends `last` and runs out of memory.
 */
async function bulkWrite(
  last: { readonly wrote: number | null } | { readonly commits: typeof PROOF },
  hasCommitted: () => Promise<boolean> = async () => {
    throw new Error("nobody asks for it");
  },
): Promise<unknown> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ id, pause }) => {
      if (pause === undefined) return parentPort.postMessage({ id, wants: "pause" });
      parentPort.postMessage({ id, ...${JSON.stringify(last)} });
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
      read: async () => 7 as never,
      hasCommitted,
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

test("if a large write runs out of memory before its commit, the answer says that nothing was changed", async () => {
  expect(await bulkWrite({ wrote: null })).toMatchObject({
    code: "unavailable",
    data: { reason: "out_of_memory" },
    message: expect.stringContaining("nothing was changed"),
  });
});

test("if a large write runs out of memory after its commit, the answer says that the change was made", async () => {
  expect(await bulkWrite({ wrote: 7 })).toMatchObject(MADE);
});

test("if the thread of a large write ends during the commit, and the commit is found, the answer says so", async () => {
  expect(await bulkWrite({ commits: PROOF }, async () => true)).toMatchObject(MADE);
});

test("if the thread of a large write ends during the commit, and no commit is found, the answer says that nothing changed", async () => {
  expect(await bulkWrite({ commits: PROOF }, async () => false)).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("nothing was changed"),
  });
});

test("if the commit of a large write cannot be looked up, the answer says that the outcome is unknown", async () => {
  const fails = async (): Promise<never> => {
    throw new SvcError("unavailable", { reason: "damaged" });
  };
  expect(await bulkWrite({ commits: PROOF }, fails)).toMatchObject({ code: "outcome_unknown" });
});

const MADE = {
  code: "outcome_unknown",
  message: expect.stringContaining("the change was made"),
  hint: expect.stringContaining("do not repeat it"),
};
