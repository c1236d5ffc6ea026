import { describe, expect, test } from "vitest";
import { Admission, MAX_WAITING_BYTES } from "../../src/mcp/admission.ts";
import { keepAlive } from "../../src/mcp/keepalive.ts";
import { FakeClock } from "../support/clock.ts";

/** Lets all promises that are ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

const { signal: never } = new AbortController();

/** Starts `count` calls. Each runs until the test ends it. */
function calls(admission: Admission, count: number, signal: AbortSignal = never) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: count }, async (_, at) => {
    await admission.run(signal, async () => {
      started.push(at);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  });
  return { started, ends, results };
}

describe("admission of calls", () => {
  test("lets eight calls run at once, and then the others in the order of their arrival", async () => {
    const admission = new Admission(new FakeClock());
    const { started, ends } = calls(admission, 12);
    await settle();
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    ends[3]?.();
    await settle();
    expect(started.at(-1)).toBe(8);
  });

  test("lets twenty calls start in a burst, then twenty a second", async () => {
    const clock = new FakeClock();
    const admission = new Admission(clock);
    let count = 0;
    const work = async () => void count++;
    for (let at = 0; at < 60; at++) void admission.run(never, work);
    await settle();
    expect(count).toBe(20);
    clock.advance(49);
    await settle();
    expect(count).toBe(20);
    clock.advance(1);
    await settle();
    expect(count).toBe(21);
    for (let tick = 0; tick < 20; tick++) {
      clock.advance(50);
      await settle();
    }
    expect(count).toBe(41);
  });

  test("allows a whole burst of calls again after a rest, but no larger one", async () => {
    const clock = new FakeClock();
    const admission = new Admission(clock);
    let count = 0;
    const burst = async () => {
      for (let at = 0; at < 30; at++) void admission.run(never, async () => void count++);
      await settle();
    };
    await burst();
    clock.advance(60_000);
    await settle();
    count = 0;
    clock.advance(60_000);
    await burst();
    expect(count).toBe(20);
  });

  test("forgets a call that is cancelled while it waits", async () => {
    const admission = new Admission(new FakeClock());
    const running = calls(admission, 8);
    const cancelled = new AbortController();
    const waiting = calls(admission, 1, cancelled.signal);
    const after = calls(admission, 1);
    cancelled.abort(new Error("cancelled"));
    await expect(waiting.results[0]).rejects.toThrow("cancelled");
    running.ends[0]?.();
    await settle();
    expect(waiting.started).toEqual([]);
    expect(after.started).toEqual([0]);
  });

  test("refuses a call only while the calls that wait hold too much memory", async () => {
    const admission = new Admission(new FakeClock());
    const running = calls(admission, 8);
    await settle();
    const half = MAX_WAITING_BYTES / 2;
    let count = 0;
    const work = async () => void count++;
    const wait = async (bytes?: number) => await admission.run(never, work, bytes);
    const cancelled = new AbortController();
    const gone = admission.run(cancelled.signal, work, half);
    void wait(half);
    await expect(wait()).rejects.toThrow("too many calls wait");
    cancelled.abort(new Error("cancelled"));
    await expect(gone).rejects.toThrow("cancelled");
    void wait(half);
    await expect(wait(1)).rejects.toThrow("send it again");
    running.ends[0]?.();
    await settle();
    expect(count).toBe(2);
    await wait(half);
  });

  test("frees the place of a call that fails", async () => {
    const admission = new Admission(new FakeClock());
    calls(admission, 7);
    const failing = admission.run(never, async () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    const next = calls(admission, 1);
    await settle();
    expect(next.started).toEqual([0]);
  });

  test("starts 200,000 calls at its rate, and loses none", async () => {
    const clock = new FakeClock();
    const admission = new Admission(clock);
    let count = 0;
    for (let second = 0; second < 10_000; second++) {
      for (let at = 0; at < 20; at++) void admission.run(never, async () => void count++);
      await settle();
      clock.advance(1000);
    }
    await settle();
    expect(count).toBe(200_000);
  });
});

describe("keeping the daemon alive", () => {
  async function pings(timeoutMs: number | undefined, fails = false) {
    const clock = new FakeClock();
    const stop = new AbortController();
    const at: number[] = [];
    const begun = clock.nowMs();
    const ping = async (): Promise<void> => {
      at.push(clock.nowMs() - begun);
      if (fails) throw new Error("gone");
    };
    const ended = keepAlive(timeoutMs, ping, clock, stop.signal);
    for (let second = 0; second < 61; second++) {
      await settle();
      clock.advance(1000);
    }
    stop.abort();
    await ended;
    return at;
  }

  test("a server pings the daemon at once, then after each half of the timeout, even if a ping fails", async () => {
    expect(await pings(60_000)).toEqual([0, 30_000, 60_000]);
    expect(await pings(60_000, true)).toEqual([0, 30_000, 60_000]);
  });

  test.each([[undefined], [9999]])(
    "sends no ping to a daemon with an idle timeout of %s",
    async (timeout) => {
      expect(await pings(timeout)).toEqual([]);
    },
  );

  test("pings a daemon with an idle timeout of ten seconds", async () => {
    expect(await pings(10_000)).toHaveLength(13);
  });
});
