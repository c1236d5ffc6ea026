import { expect, test } from "vitest";
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

/** Lets the daemon look at what was committed, 50 ms later. */
async function debounced({ clock, store, federation }: World): Promise<boolean> {
  clock.advance(50);
  for (let n = 0; n < 50 && federation.engine.wake?.isSet !== true; n += 1) {
    await store.read(async ({ events }) => await events.lastId());
    await yieldToLoop();
  }
  return federation.engine.wake?.isSet === true;
}

describeStore("a copy that is written to", (open) => {
  test("wakes its own pass, and no other project is asked", async () => {
    const it = await writingCopy(open);
    const { spoke, server } = it;
    expect(await sweep(spoke)).toBe(30_000);
    await spoke.given.issue({ project: it.local });
    expect(await debounced(spoke)).toBe(true);
    const asked = server.asked.length;
    expect(await sweep(spoke)).toBe(30_000 - 50);
    expect(server.asked.slice(asked).map(({ method }) => method)).toEqual(["POST", "GET"]);
    await it.expectOneHistory();
    expect(await debounced(spoke)).toBe(false);
  });

  test("is not asked for again at once if its hub is away, but with the next round", async () => {
    const it = await writingCopy(open);
    const { spoke, server } = it;
    await sweep(spoke);
    server.intercept((_request, response) => response.writeHead(503).end());
    await spoke.given.issue({ project: it.local });
    expect(await debounced(spoke)).toBe(true);
    await sweep(spoke);
    const asked = server.asked.length;
    await spoke.given.issue({ project: it.local });
    expect(await debounced(spoke)).toBe(true);
    await sweep(spoke);
    expect(server.asked).toHaveLength(asked);
    it.mend();
    spoke.clock.advance(30_000);
    await sweep(spoke);
    await it.expectOneHistory();
  });

  test("is not looked for by writes to other projects, or by what the hub sends", async () => {
    const it = await writingCopy(open);
    const { hub, spoke } = it;
    await sweep(spoke);
    await spoke.given.issue({ project: await spoke.given.project("own") });
    expect(await debounced(spoke)).toBe(false);
    await hub.given.issue({ project: it.project });
    await it.pull();
    expect(await debounced(spoke)).toBe(false);
  });
});
