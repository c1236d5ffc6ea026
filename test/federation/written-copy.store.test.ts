import { expect, test, vi } from "vitest";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import { describeStore } from "../support/store.ts";
import type { World } from "../support/world.ts";
import { writingCopy } from "./push-world.ts";

async function sweep({ store, federation }: Pick<World, "store" | "federation">): Promise<number> {
  const { signal } = new AbortController();
  const bulk = async () => await Promise.reject(new Error("the engine has its own"));
  const sweeping = { store: withGuard(store, {}), bulk, term: undefined, signal };
  return await federation.engine.sweep(sweeping);
}

/** Writes, and waits the 50 ms after which the daemon looks at what was committed. */
async function committed({ clock, store }: World, write: () => Promise<unknown>): Promise<void> {
  const told = Promise.withResolvers<void>();
  const end = store.onCommit(() => told.resolve());
  await write();
  await told.promise;
  end();
  clock.advance(50);
}

/** Writes, and waits until that has woken the engine. */
async function wakes(world: World, write: () => Promise<unknown>): Promise<void> {
  await committed(world, write);
  await vi.waitUntil(() => world.federation.engine.wake?.isSet === true, { timeout: 10_000 });
}

/** Writes, and returns whether that wakes the engine in the time that 50 reads take. */
async function wakesSoon(world: World, write: () => Promise<unknown>): Promise<boolean> {
  await committed(world, write);
  for (let n = 0; n < 50 && world.federation.engine.wake?.isSet !== true; n += 1) {
    await world.store.read(async ({ events }) => await events.lastId());
    await yieldToLoop();
  }
  return world.federation.engine.wake?.isSet === true;
}

describeStore("a copy that is written to", (open) => {
  test("starts a pass that sends the change and then reads the hub", async () => {
    const it = await writingCopy(open);
    const { spoke, server } = it;
    expect(await sweep(spoke)).toBe(30_000);
    const write = async () => await spoke.given.issue({ project: it.local });
    await wakes(spoke, write);
    const asked = server.asked.length;
    expect(await sweep(spoke)).toBe(30_000 - 50);
    expect(server.asked.slice(asked).map(({ method }) => method)).toEqual(["POST", "GET"]);
    await it.expectOneHistory();
  });

  test("asks a hub that has just failed again only after the next interval", async () => {
    const it = await writingCopy(open);
    const { spoke, server } = it;
    await sweep(spoke);
    server.intercept((_request, response) => response.writeHead(503).end());
    const write = async () => await spoke.given.issue({ project: it.local });
    await wakes(spoke, write);
    await sweep(spoke);
    const asked = server.asked.length;
    await wakes(spoke, write);
    await sweep(spoke);
    expect(server.asked).toHaveLength(asked);
    it.mend();
    spoke.clock.advance(30_000);
    await sweep(spoke);
    await it.expectOneHistory();
  });

  test("starts no pass after a write to another project, or after events arrive from its hub", async () => {
    const it = await writingCopy(open);
    const { hub, spoke } = it;
    await sweep(spoke);
    const own = await spoke.given.project("own");
    const write = async () => await spoke.given.issue({ project: own });
    expect(await wakesSoon(spoke, write)).toBe(false);
    await hub.given.issue({ project: it.project });
    expect(await wakesSoon(spoke, it.pull)).toBe(false);
  });
});
