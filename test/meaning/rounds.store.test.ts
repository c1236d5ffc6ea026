import { expect, test } from "vitest";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { describeStore } from "../support/store.ts";
import { startMortal } from "./mortal.ts";
import { settingsOf } from "./support.ts";
import { meaningWorld } from "./world.ts";

/** The store. A read that begins after `hold` waits until `release`. */
function heldReads(store: AdminStore) {
  let held = Promise.withResolvers<void>();
  let isHeld = false;
  const begun = Promise.withResolvers<void>();
  const read: AdminStore["read"] = async (work) => {
    if (isHeld) {
      begun.resolve();
      await held.promise;
    }
    return await store.read(work);
  };
  const proxy = new Proxy(store, {
    get: (target, name) => {
      if (name === "read") return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    store: proxy,
    begun: begun.promise,
    hold: () => {
      held = Promise.withResolvers();
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      held.resolve();
    },
  };
}

describeStore("a sweep of the index of meanings", (open) => {
  test("that used up its calls is followed by another one at once, until nothing is left", async () => {
    const { w, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "older" });
    await w.given.issue({ title: "long", body: "word ".repeat(14_400) });
    const { sweep, fill, health } = start({ batchSize: 1 });
    expect(await sweep()).toBe(0);
    expect(state.calls()).toHaveLength(32);
    expect(health()).toMatchObject({ embedded: 0, backlog: 2 });
    expect(await fill()).toBe(300_000);
    expect(state.calls()).toHaveLength(41);
    expect(health()).toMatchObject({ embedded: 2, backlog: 0 });
  });

  test("is followed by another one after a second if the provider asks for a wait of 0 seconds", async () => {
    const { w, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "one" });
    state.next({ status: 429, headers: { "retry-after": "0" } });
    expect(await start().fill()).toBe(1000);
    expect(state.calls()).toHaveLength(1);
  });

  test("is followed by another one soon if issues were removed during its comparison", async () => {
    const { w, database, baseUrl } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "one" });
    const { store, hold, begun, release } = heldReads(w.store);
    const settings = settingsOf(baseUrl, { dims: 16 });
    const { sweep, index, look } = await startMortal({ ...w, store }, database, settings);
    expect(await sweep()).toBe(300_000);
    hold();
    const sweeping = sweep();
    await begun;
    await (await index()).index.remove([issue.uid]);
    release();
    expect(await sweeping).toBe(1500);
    expect(await sweep()).toBe(300_000);
    expect(await look()).toMatchObject({ embedded: 1, backlog: 0 });
  });
});
