import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { LimitedWorker, LOAD_LIMIT_MS, type WorkerLike } from "../../web/limited-worker.ts";
import { FakeClock, watched } from "../support/clock.ts";

/** A worker of a thread: it doubles numbers, never answers 13, and throws at 0. */
const DOUBLING = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ id, question }) => {
    if (question === 13) for (;;);
    if (question === 0) throw new Error("no zero");
    parentPort.postMessage({ id, answer: 2 * question });
  });
  parentPort.postMessage({ id: 0 });
`;

/** Has the listeners of a browser's worker. */
function started(script: string = DOUBLING): WorkerLike<number, number> {
  const thread = new Worker(script, { eval: true });
  onTestFinished(async () => void (await thread.terminate()));
  return {
    addEventListener: (type: string, listener: (event: { readonly data: never }) => void) =>
      void thread.on(type, (data: unknown) => listener({ data: data as never })),
    postMessage: (asked) => thread.postMessage(asked),
    terminate: () => void thread.terminate(),
  };
}

/** Long enough for an answer on a busy machine. */
const ENOUGH_MS = 10_000;

test("tasks are answered in turn, and a worker that is too slow is replaced by another one", async () => {
  let starts = 0;
  const worker = new LimitedWorker(() => {
    starts += 1;
    return started();
  }, systemClock);
  const all = await Promise.all([
    worker.ask(4, ENOUGH_MS),
    worker.ask(13, 50),
    worker.ask(5, ENOUGH_MS),
    worker.ask(6, ENOUGH_MS),
  ]);
  expect(all).toEqual([{ answer: 8 }, "late", { answer: 10 }, { answer: 12 }]);
  expect(starts).toBe(2);
});

test("a worker that throws an error is reported as failed, and the next task gets another worker", async () => {
  const worker = new LimitedWorker(() => started(), systemClock);
  expect(await worker.ask(0, ENOUGH_MS)).toBe("failed");
  expect(await worker.ask(7, ENOUGH_MS)).toEqual({ answer: 14 });
});

test("a worker that cannot be loaded is reported as failed", async () => {
  const worker = new LimitedWorker(() => started("throw new Error('gone')"), systemClock);
  expect(await worker.ask(7, ENOUGH_MS)).toBe("failed");
});

test("a worker that does not load in time is reported as failed, and the next task gets another worker", async () => {
  const time = new FakeClock();
  const { clock, next } = watched(time);
  const scripts = ["setInterval(() => {}, 1000)", DOUBLING];
  const worker = new LimitedWorker(() => started(scripts.shift()), clock);
  const first = worker.ask(7, 50);
  const second = worker.ask(8, 50);
  expect(await next()).toBe(LOAD_LIMIT_MS);
  time.advance(LOAD_LIMIT_MS);
  expect(await first).toBe("failed");
  expect(await second).toEqual({ answer: 16 });
});

test("the limit for loading does not stop a worker that has loaded", async () => {
  let starts = 0;
  const time = new FakeClock();
  const worker = new LimitedWorker(() => {
    starts += 1;
    return started();
  }, time);
  expect(await worker.ask(4, 50)).toEqual({ answer: 8 });
  time.advance(LOAD_LIMIT_MS);
  expect(await worker.ask(5, 50)).toEqual({ answer: 10 });
  expect(starts).toBe(1);
});

test("a task that is no longer wanted when its turn comes is not sent", async () => {
  const worker = new LimitedWorker(() => started(), systemClock);
  const first = worker.ask(4, ENOUGH_MS);
  const stale = worker.ask(13, ENOUGH_MS, () => false);
  expect(await Promise.all([first, stale])).toEqual([{ answer: 8 }, "late"]);
});
