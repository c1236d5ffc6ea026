import { expect, test } from "vitest";
import { readAhead } from "../../src/sync/read-ahead.ts";

const never = new AbortController().signal;

/** Gives the numbers from 1 to `last`, and notes which of them were made. */
function numbers(last: number) {
  const made: number[] = [];
  let signal: AbortSignal | undefined;
  let hasEnded = false;
  const source = async function* (stop: AbortSignal): AsyncGenerator<number> {
    signal = stop;
    try {
      for (let one = 1; one <= last; one += 1) {
        made.push(one);
        yield one;
      }
    } finally {
      hasEnded = true;
    }
  };
  return { source, made, isAborted: () => signal?.aborted, hasEnded: () => hasEnded };
}

/** Lets everything happen that waits for nothing else. */
async function quiet(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test("while an item is processed, only the next one is read", async () => {
  const { source, made } = numbers(4);
  const seen: number[] = [];
  for await (const one of readAhead(source, never)) {
    seen.push(one);
    await quiet();
    expect(made).toEqual([1, 2, 3, 4].slice(0, one + 1));
  }
  expect(seen).toEqual([1, 2, 3, 4]);
});

test("a fault of the source is thrown after the items that came before it", async () => {
  const failing = async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error("the host failed");
  };
  const seen: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const one of readAhead(failing, never)) {
      await quiet();
      seen.push(one);
    }
  };
  await expect(reading()).rejects.toThrow("the host failed");
  expect(seen).toEqual([1]);
});

test("if the work fails, the source is told to stop and has ended before the fault is thrown", async () => {
  const { source, made, isAborted, hasEnded } = numbers(9);
  const reading = async (): Promise<void> => {
    for await (const one of readAhead(source, never)) if (one === 2) throw new Error("no claim");
  };
  await expect(reading()).rejects.toThrow("no claim");
  expect({ made, aborted: isAborted(), ended: hasEnded() }).toEqual({
    made: [1, 2, 3],
    aborted: true,
    ended: true,
  });
});

test("if the work fails while the source waits, the wait ends and the fault of the work is thrown", async () => {
  const waiting = async function* (stop: AbortSignal): AsyncGenerator<number> {
    yield 1;
    await new Promise((resolve) => stop.addEventListener("abort", resolve));
    throw new Error("it was stopped");
  };
  const reading = async (): Promise<void> => {
    for await (const one of readAhead(waiting, never)) throw new Error(`no claim for ${one}`);
  };
  await expect(reading()).rejects.toThrow("no claim for 1");
});

test("the signal of the caller reaches the source", async () => {
  const { source, isAborted } = numbers(3);
  const caller = new AbortController();
  for await (const one of readAhead(source, caller.signal)) if (one === 1) caller.abort();
  expect(isAborted()).toBe(true);
});
