import { describe, expect, test } from "vitest";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import { ClientGone } from "../../../src/daemon/requests/incoming.ts";
import { SpokeQueue } from "../../../src/daemon/requests/spoke-queue.ts";
import { FakeClock } from "../../support/clock.ts";

const HERE = new AbortController().signal;

/** A queue with requests that run until `end` is called. */
function queue() {
  const clock = new FakeClock();
  const spokes = new SpokeQueue(clock);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const request = async (name: number, gone: AbortSignal = HERE): Promise<number> =>
    await spokes.run(gone, async () => {
      begun.push(name);
      await new Promise<void>((end) => void (ends[name] = end));
      return name;
    });
  return { clock, spokes, begun, ends, request };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await yieldToLoop();
}

describe("the requests of spokes", () => {
  test("requests of spokes are carried out four at a time, in the order of their arrival", async () => {
    const { begun, ends, request } = queue();
    const all = [0, 1, 2, 3, 4, 5, 6].map(async (name) => await request(name));
    await turns();
    expect(begun).toEqual([0, 1, 2, 3]);
    ends[2]?.();
    await turns();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    for (const name of [0, 1, 3, 4]) ends[name]?.();
    await turns();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (const name of [5, 6]) ends[name]?.();
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("requests of spokes are refused as busy after ten seconds, and are then never carried out", async () => {
    const { clock, begun, ends, request } = queue();
    const running = [0, 1, 2, 3].map(async (name) => await request(name));
    const late = request(4);
    late.catch(() => undefined);
    await turns();
    clock.advance(9_999);
    await turns();
    const later = request(5);
    clock.advance(1);
    await expect(late).rejects.toMatchObject({ code: "busy", data: { reason: "spokes" } });
    for (const name of [0, 1, 2, 3]) ends[name]?.();
    await Promise.all(running);
    await turns();
    expect(begun).toEqual([0, 1, 2, 3, 5]);
    ends[5]?.();
    expect(await later).toBe(5);
  });

  test("requests of spokes whose clients have disconnected are not carried out", async () => {
    const { begun, ends, request } = queue();
    const running = [0, 1, 2, 3].map(async (name) => await request(name));
    const gone = new AbortController();
    const left = request(4, gone.signal);
    left.catch(() => undefined);
    const next = request(5);
    await turns();
    gone.abort();
    await expect(left).rejects.toBeInstanceOf(ClientGone);
    ends[0]?.();
    await turns();
    expect(begun).toEqual([0, 1, 2, 3, 5]);
    for (const name of [1, 2, 3, 5]) ends[name]?.();
    await Promise.all([...running, next]);
    await expect(request(6, AbortSignal.abort())).rejects.toBeInstanceOf(ClientGone);
  });

  test("a request of a spoke that fails makes room for the next", async () => {
    const { spokes } = queue();
    const failing = Array.from(
      { length: 9 },
      async () => await spokes.run(HERE, async () => await Promise.reject(new Error("no"))),
    );
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(await spokes.run(HERE, async () => await Promise.resolve("done"))).toBe("done");
  });

  test("requests of spokes leave turns of the event loop to other work, even if none of them waits for anything", async () => {
    const { spokes } = queue();
    const order: string[] = [];
    const all = Array.from(
      { length: 9 },
      async (_, name) => await spokes.run(HERE, async () => void order.push(`request ${name}`)),
    );
    setImmediate(() => order.push("somebody else"));
    await Promise.all(all);
    const before = order.indexOf("somebody else");
    expect(before).toBeGreaterThan(-1);
    expect(before).toBeLessThan(5);
  });
});
