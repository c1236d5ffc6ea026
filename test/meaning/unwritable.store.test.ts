import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { errorCure, providerCure } from "../../src/domain/meaning/cures.ts";
import { EMBEDDINGS, meaningEngines } from "../../src/meaning/engines.ts";
import { Forgetter } from "../../src/meaning/forgetter.ts";
import { LazyIndex } from "../../src/meaning/lazy-index.ts";
import { Provider } from "../../src/meaning/provider.ts";
import { Reconciler } from "../../src/meaning/reconciler.ts";
import type { VectorStore } from "../../src/store/types/vectors.ts";
import { openVectors } from "../../src/store/vectors/open.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { settingsOf } from "./support.ts";
import { meaningWorld } from "./world.ts";

/** The engine that embeds, with an index whose `put` fails for this reason until `mend` is called. */
async function failing(open: OpenTestStore, reason: string) {
  const { w, database, state, baseUrl } = await meaningWorld(open);
  const { store, clock } = w;
  const settings = settingsOf(baseUrl, { dims: 16 });
  const provider = new Provider({ clock, log: silentLog, settings });
  const { epoch } = await store.read(async ({ events }) => await events.head());
  let fails = true;
  const put: VectorStore["put"] = async () =>
    await Promise.reject(new SvcError("unavailable", { reason }));
  const lazy = new LazyIndex({
    clock,
    store,
    forgotten: () => undefined,
    openVectors: async () => {
      const vectors = await openVectors({
        ...{ ...database.target, instanceUid: store.instanceUid, epoch, clock, log: silentLog },
        ...{ commits: () => 0, term: () => termOf() },
      });
      return new Proxy(vectors, {
        get: (target, name) => {
          if (name === "put" && fails) return put;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
    begin: async (index) => await forgetter.begin(index),
  });
  const termOf = () => {
    const own = store.elections().find(({ name, here }) => here && name === EMBEDDINGS);
    return own && { name: own.name, number: own.term, holder: own.holder };
  };
  const opened = async () => await lazy.opened();
  const reconciler = new Reconciler({ clock, store, settings, provider, opened });
  const none = () => undefined;
  const needs = { clock, store, opened, forgotten: none, forgottenProject: none };
  const forgetter = new Forgetter(needs);
  const refresh = async () => await Promise.resolve();
  const { engines, stop } = meaningEngines({ clock, store, reconciler, forgetter, refresh });
  onTestFinished(async () => {
    stop();
    provider.close();
    await lazy.close();
  });
  const [engine] = engines;
  const { signal } = new AbortController();
  const bulk = async () => await Promise.reject(new Error("nothing is written to the tables"));
  /** Sweeps as the daemon does. Returns the time until the next sweep. */
  const sweep = async (): Promise<number | undefined> => {
    try {
      await store.elect(EMBEDDINGS);
      return await engine?.sweep({ store, term: undefined, signal, bulk });
    } catch (error) {
      return engine?.failed?.(error);
    }
  };
  const mend = (): void => void (fails = false);
  return { w, state, sweep, mend, health: () => reconciler.state.health, reconciler };
}

describeStore("an index that cannot be written", (open) => {
  test("costs one call of the provider, however many issues are written, and health names the index", async () => {
    const { w, state, sweep, health } = await failing(open, "disk_full");
    await w.given.issue({ title: "one" });
    await sweep();
    for (let times = 0; times < 20; times++) {
      await w.given.issue({ title: `issue ${times}` });
      w.clock.advance(3000);
      await sweep();
    }
    expect(state.calls()).toHaveLength(1);
    expect(health()).toMatchObject({ backlog: 21, error_present: true, index_failed: true });
    expect(errorCure(health())).toMatch(/^the index of meanings cannot be read or written.*disk/);
  });

  test("is written after five minutes, or at once after a reload, without a call for what was embedded before", async () => {
    const { w, state, sweep, mend, health, reconciler } = await failing(open, "storage_fault");
    await w.given.issue({ title: "one" });
    await sweep();
    expect(await sweep()).toBe(300_000);
    mend();
    w.clock.advance(300_000);
    await sweep();
    expect(state.calls()).toHaveLength(1);
    expect(health()).toMatchObject({ embedded: 1, backlog: 0, error_present: false });
    expect(health()).not.toHaveProperty("index_failed");
    reconciler.state.failed();
    reconciler.beginAgain();
    await w.given.issue({ title: "two" });
    await sweep();
    expect(health()).toMatchObject({ embedded: 2, error_present: false });
  });

  test("because another daemon embeds is no error", async () => {
    const { w, sweep, health } = await failing(open, "not_elected");
    await w.given.issue({ title: "one" });
    expect(await sweep()).toBe(10_000);
    expect(health()).toMatchObject({ backlog: 1, error_present: false });
  });

  test("does not hide for ever what the provider answered last", async () => {
    const { w, state, sweep, health, reconciler } = await failing(open, "disk_full");
    await w.given.issue({ title: "one" });
    state.always({ status: 401 });
    await sweep();
    reconciler.state.failed();
    expect(errorCure(health())).not.toBe(providerCure(401));
    await sweep();
    expect(health()).toMatchObject({ error_present: true, last_error_status: 401 });
    expect(errorCure(health())).toBe(providerCure(401));
  });
});
