import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { leaseEngine } from "../../src/engines/leases.ts";
import type { Store } from "../../src/store/types/store.ts";
import { watched } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const LEASES = leaseEngine({ log: silentLog });

const expired = async (w: World) =>
  (await w.events()).filter(({ type }) => type === "claim.expired").length;

async function leased(w: World, ttl_seconds: number): Promise<void> {
  const { path: params } = await w.given.issue();
  await w.call(acquireIssueLease, { params, body: { claim_kind: "timed", ttl_seconds } });
}

/** Lets the first second pass, which the engine leaves to the requests for which the daemon was started. */
async function passedFirst(w: World, next: () => Promise<number>): Promise<void> {
  expect(await next()).toBe(1000);
  w.clock.advance(1000);
}

describeStore("the lease sweeper", (open) => {
  test("runs every 30 seconds and at the end of each lease, and ends each lease once", async () => {
    const w = await world({ store: open });
    const { clock, next } = watched(w.clock);
    const sweeper = startEngines({ store: w.store, clock }, LEASES);
    await passedFirst(w, next);
    expect(await next()).toBe(30_000);
    await leased(w, 75);
    const seen: (readonly [slept: number, expired: number])[] = [];
    for (let wait = 30_000; seen.length < 4; ) {
      w.clock.advance(wait);
      wait = await next();
      seen.push([wait, await expired(w)]);
    }
    expect(seen).toEqual([
      [30_000, 0],
      [15_000, 0],
      [30_000, 1],
      [30_000, 1],
    ]);
    await sweeper.stop();
  });

  test("runs again after a second if it finds the database busy", async () => {
    const w = await world({ store: open });
    await leased(w, 60);
    w.clock.advance(60_000);
    let release = (): void => undefined;
    const held = w.store.pauseWrites(
      async () => await new Promise<undefined>((end) => (release = () => end(undefined))),
    );
    const { clock, next } = watched(w.clock);
    const sweeper = startEngines({ store: w.store, clock }, LEASES);
    await passedFirst(w, next);
    let slept: number | undefined;
    const waiting = next().then((ms) => (slept = ms));
    while (slept === undefined) {
      await systemClock.sleep(1);
      w.clock.advance(200);
    }
    expect(await waiting).toBe(1000);
    release();
    await held;
    w.clock.advance(1000);
    expect(await next()).toBe(30_000);
    expect(await expired(w)).toBe(1);
    await sweeper.stop();
  });

  test("waits at least a second even for a lease that ends at once", async () => {
    const w = await world({ store: open });
    await leased(w, 60);
    w.clock.advance(58_999);
    const { clock, next } = watched(w.clock);
    const sweeper = startEngines({ store: w.store, clock }, LEASES);
    await passedFirst(w, next);
    expect(await next()).toBe(1000);
    w.clock.advance(1000);
    await next();
    expect(await expired(w)).toBe(1);
    await sweeper.stop();
  });

  test("ends no lease on a daemon that is not elected", async () => {
    const w = await world({ store: open });
    await leased(w, 60);
    w.clock.advance(60_000);
    const { clock, next } = watched(w.clock);
    const sweeper = startEngines({ store: unelected(w.store), clock }, LEASES);
    await passedFirst(w, next);
    expect(await next()).toBe(3000);
    expect(await expired(w)).toBe(0);
    await sweeper.stop();
  });

  test("runs again after a pass that failed", async () => {
    const w = await world({ store: open });
    const { clock, next } = watched(w.clock);
    const faults: string[] = [];
    const log = { ...silentLog, warn: (event: string) => void faults.push(event) };
    const failing = replaced(w.store, "elect", async () => {
      throw new Error("the database is gone");
    });
    const sweeper = startEngines({ store: failing, clock, log }, LEASES);
    await passedFirst(w, next);
    expect(await next()).toBe(30_000);
    w.clock.advance(30_000);
    await next();
    expect(faults).toEqual(["leases.sweep_failed", "leases.sweep_failed"]);
    await sweeper.stop();
  });
});

const unelected = (store: Store): Store => replaced(store, "elect", async () => undefined);

function replaced<K extends keyof Store>(store: Store, name: K, by: Store[K]): Store {
  return new Proxy(store, {
    get: (target, key) => {
      if (key === name) return by;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
