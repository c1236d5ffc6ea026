import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { patchIssueMetadata } from "../../src/contract/issues.ts";
import { dateEngine } from "../../src/engines/dates.ts";
import type { Store } from "../../src/store/types/store.ts";
import { watched } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { describeStore, type TestDatabase } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const SETTINGS = {
  timezone: "UTC",
  close_throttle: { enabled: false, window_ms: 60_000, limit: 3 },
};

const asked = async ({ events }: Pick<World, "events">) =>
  (await events()).filter(({ actor }) => actor === "system");

async function sweptWorld(w: World, store: Store = w.store, log = silentLog) {
  const { clock, next } = watched(w.clock);
  const sweeper = startEngines(
    { store, clock, log },
    dateEngine({ clock, log, settings: SETTINGS }),
  );
  expect(await next()).toBe(1000);
  return { sweeper, next, wake: (ms: number) => w.clock.advance(ms) };
}

describeStore("the date sweeper", (open) => {
  test("begins a second after the start, then runs every 30 seconds and when a date is reached", async () => {
    const w = await world({ store: open });
    await w.given.issue({ metadata: { deadline_on: "2026-01-01T00:00:41" } });
    const { sweeper, next, wake } = await sweptWorld(w);
    wake(1000);
    expect(await next()).toBe(30_000);
    wake(30_000);
    expect(await next()).toBe(10_000);
    expect(await asked(w)).toHaveLength(0);
    wake(10_000);
    expect(await next()).toBe(30_000);
    expect(await asked(w)).toHaveLength(1);
    await sweeper.stop();
  });

  test("waits at least a second even for a date that is reached at once", async () => {
    const w = await world({ store: open });
    await w.given.issue({ metadata: { deadline_on: "2026-01-01T00:00:01.001Z" } });
    const { sweeper, next, wake } = await sweptWorld(w);
    wake(1000);
    expect(await next()).toBe(1000);
    await sweeper.stop();
  });

  test("sends nothing on a daemon that is not elected, and checks everything once the daemon is elected", async () => {
    const w = await world({ store: open });
    await w.given.issue({ metadata: { deadline_on: "2026-01-01" } });
    let elected = false;
    const store = replaced(w.store, "elect", async (name) =>
      elected ? await w.store.elect(name) : undefined,
    );
    const { sweeper, next, wake } = await sweptWorld(w, store);
    wake(1000);
    expect(await next()).toBe(3000);
    expect(await asked(w)).toHaveLength(0);
    elected = true;
    wake(3000);
    await next();
    expect(await asked(w)).toHaveLength(1);
    await sweeper.stop();
  });

  test("checks everything again after a pass that failed", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const faults: string[] = [];
    const log = { ...silentLog, warn: (event: string) => void faults.push(event) };
    let broken = false;
    const store = replaced(w.store, "read", async (work) => {
      if (broken) throw new Error("the database is gone");
      return await w.store.read(work);
    });
    const { sweeper, next, wake } = await sweptWorld(w, store, log);
    wake(1000);
    await next();
    const patch = { deadline_on: "2026-01-01" };
    await w.call(patchIssueMetadata, { params: issue.path, body: { patch } });
    broken = true;
    wake(30_000);
    await next();
    expect(faults).toEqual(["dates.sweep_failed"]);
    broken = false;
    wake(30_000);
    await next();
    expect(await asked(w)).toHaveLength(1);
    await sweeper.stop();
  });

  test("sends exactly one request for each date despite kill -9 inside and after a commit", async () => {
    const database = await open.database();
    const w = await world({ store: database.open });
    const dates = Array.from({ length: 300 }, (_, at) => `2026-01-0${1 + (at % 9)}T0${at % 7}:00`);
    const project = await w.given.project();
    await Promise.all(
      dates.map(async (deadline_on) => await w.given.issue({ project, metadata: { deadline_on } })),
    );
    // Only one process can have a SQLite database open.
    if (open.dialect === "sqlite") await w.store.close();
    const kills = [
      ["append", 0],
      ["commit", 0],
      ["append", 40],
      ["append", 63],
      ["commit", 64],
      ["append", 90],
    ] as const;
    for (const [moment, count] of kills) {
      expect(await sweepIn(database, moment, count)).toBe("SIGKILL");
    }
    expect(await sweepIn(database, "none", 0)).toBe(0);
    expect(await sweepIn(database, "none", 0)).toBe(0);
    const store = open.dialect === "sqlite" ? await database.open() : w.store;
    const events = await store.read(async (reader) => await reader.events.after(0, 10_000));
    const counts = new Map<string, number>();
    for (const { actor, issue_uid = "" } of events)
      if (actor === "system") counts.set(issue_uid, (counts.get(issue_uid) ?? 0) + 1);
    expect(counts.size).toBe(dates.length);
    expect(new Set(counts.values())).toEqual(new Set([1]));
  }, 120_000);
});

const PROCESS = join(import.meta.dirname, "..", "support", "date-sweep-process.ts");

async function sweepIn({ target }: TestDatabase, moment: string, count: number) {
  const words = [PROCESS, target.dsn, target.schema ?? "", moment, String(count)];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0 && code !== null) throw new Error(said);
  return code ?? signal;
}

function replaced<K extends keyof Store>(store: Store, name: K, by: Store[K]): Store {
  return new Proxy(store, {
    get: (target, key) => {
      if (key === name) return by;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
