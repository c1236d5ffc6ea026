import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { cronEngine } from "../../src/engines/cron.ts";
import type { Store } from "../../src/store/types/store.ts";
import { but, R } from "../domain/cron/bases.ts";
import { watched } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { sqliteDatabase } from "../support/store.ts";
import { term } from "../support/term.ts";
import { type World, world } from "../support/world.ts";

async function engineWorld() {
  const w = await world({ store: (await sqliteDatabase()).open });
  const parent = await w.given.issue();
  const definition = but(R, {
    issue: { ...R.issue, parent_uid: parent.uid },
    trigger: { kind: "interval", interval_seconds: 60 },
    catchup: "all",
  });
  const body = { name: "check", definition: definition as never };
  await w.call(createCronJob, { params: { project_id: parent.path.project_id }, body });
  return w;
}

const children = async (w: World) =>
  (await w.eventKinds()).filter((type) => type === "issue.created").length - 1;

function start(w: World, more: { elect?: () => boolean; mayWork?: () => boolean } = {}) {
  const { clock, next } = watched(w.clock);
  const { elect = () => true, mayWork = () => true } = more;
  const store = new Proxy(w.store, {
    get: (target, key) => {
      if (key === "elect") return async () => term(elect());
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as Store;
  const work = { begun: 0, ended: 0 };
  const beginWork = () => {
    if (!mayWork()) return undefined;
    work.begun += 1;
    return () => {
      work.ended += 1;
    };
  };
  const cron = cronEngine({ clock, ids: w.ids, log: silentLog });
  const engine = startEngines({ store, clock, beginWork }, cron);
  return { engine, next, work };
}

test("the recurring jobs engine sweeps soon after its start and then every 30 seconds", async () => {
  const w = await engineWorld();
  const { engine, next, work } = start(w);
  expect(await next()).toBe(500);
  w.clock.advance(500);
  expect(await next()).toBe(30_000);
  expect(await children(w)).toBe(0);
  w.clock.advance(30_000);
  expect(await next()).toBe(30_000);
  w.clock.advance(30_000);
  expect(await next()).toBe(30_000);
  expect(await children(w)).toBe(1);
  expect(work).toEqual({ begun: 3, ended: 3 });
  await engine.stop();
});

test("a daemon that was not elected, or is shutting down, delivers nothing", async () => {
  const w = await engineWorld();
  let [elected, mayWork] = [false, true];
  const { engine, next } = start(w, { elect: () => elected, mayWork: () => mayWork });
  const pass = async () => {
    await next();
    w.clock.advance(60_000);
  };
  for (let at = 0; at < 3; at++) await pass();
  await next();
  expect(await children(w)).toBe(0);
  [elected, mayWork] = [true, false];
  w.clock.advance(60_000);
  await next();
  expect(await children(w)).toBe(0);
  mayWork = true;
  w.clock.advance(60_000);
  await next();
  expect(await children(w)).toBeGreaterThan(3);
  await engine.stop();
});

test("stopping the recurring jobs engine ends its wait", async () => {
  const w = await engineWorld();
  const { engine, next } = start(w);
  await next();
  await engine.stop();
  expect(await children(w)).toBe(0);
});
