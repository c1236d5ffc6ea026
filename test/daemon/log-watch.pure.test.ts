import { expect, test } from "vitest";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { LogWatch } from "../../src/daemon/log-watch.ts";
import type { Reader } from "../../src/store/types/store.ts";

/** A log in memory, whose reads can be made to fail or to wait, watched by two events at a time. */
function watched() {
  const log: string[] = [];
  const found: string[][] = [];
  const heard = new Set<(lastId: number) => void>();
  const next = { fault: undefined as Error | undefined, until: Promise.resolve() };
  const reader = { events: { lastId: async () => await Promise.resolve(log.length) } };
  const watch = new LogWatch({
    store: {
      onCommit: (listener) => {
        heard.add(listener);
        return () => heard.delete(listener);
      },
      read: async (work) => {
        const { fault, until } = next;
        next.fault = undefined;
        if (fault !== undefined) throw fault;
        const result = await work(reader as unknown as Reader);
        await until;
        return result;
      },
    },
    clock: { sleep: async () => await Promise.resolve() },
    waitMs: () => 0,
    read: async (_reader, after) => {
      const uids = log.slice(after, after + 2);
      const upTo = after + uids.length;
      return await Promise.resolve({ uids, upTo, last: upTo === log.length });
    },
    found: (uids) => void found.push([...uids]),
  });
  const commit = (...uids: readonly string[]) => {
    log.push(...uids);
    for (const listener of heard) listener(log.length);
  };
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await yieldToLoop();
  };
  return { watch, commit, found, next, settled };
}

test("a watch finds what is committed while it is on, each uid once, and nothing that was there", async () => {
  const { watch, commit, found, settled } = watched();
  commit("before");
  await watch.set(true);
  commit("a", "b", "a", "c");
  await settled();
  expect(found).toEqual([["a", "b", "c"]]);
  await watch.set(false);
  commit("off");
  await watch.set(true);
  commit("on");
  await settled();
  expect(found).toEqual([["a", "b", "c"], ["on"]]);
});

test("a watch finds what is committed while it reads the end of the log", async () => {
  const { watch, commit, found, next, settled } = watched();
  const reading = Promise.withResolvers<void>();
  next.until = reading.promise;
  const set = watch.set(true);
  await settled();
  commit("meanwhile");
  next.until = Promise.resolve();
  reading.resolve();
  await set;
  await settled();
  expect(found).toEqual([["meanwhile"]]);
});

test("a watch that could not read the end of the log is off, and can be begun again", async () => {
  const { watch, commit, found, next, settled } = watched();
  commit("before");
  next.fault = new Error("no connection");
  await expect(watch.set(true)).rejects.toThrow("no connection");
  commit("off");
  await settled();
  expect(found).toEqual([]);
  await watch.set(true);
  commit("on");
  await settled();
  expect(found).toEqual([["on"]]);
});

test("a watch tells what it has read when a later part of the log cannot be read", async () => {
  const { watch, commit, found, next, settled } = watched();
  await watch.set(true);
  commit("a", "b", "c");
  // The first part is read before the loop turns, the second after it.
  for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
  next.fault = new Error("no connection");
  await settled();
  commit("d");
  await settled();
  expect(found).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});
