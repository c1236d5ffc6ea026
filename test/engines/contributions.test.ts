import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Finding } from "../../src/domain/finding.ts";
import {
  databaseChecks,
  ENGINE_CHECKS,
  engineFault,
  healthChecks,
} from "../../src/engines/checks/all.ts";
import type { EngineChecks } from "../../src/engines/checks/engine-checks.ts";
import { type Engine, NEVER } from "../../src/engines/engines.ts";
import type { Reader } from "../../src/store/types/store.ts";
import { startEngines } from "../support/engines.ts";
import { sqliteDatabase } from "../support/store.ts";

const idle = { firstMs: NEVER, elected: false, sweep: async () => NEVER };

test("the health answer of a daemon includes a block of each engine, without paths for callers other than the owner", async () => {
  const store = await (await sqliteDatabase()).open();
  const planted: Engine = {
    ...idle,
    name: "planted",
    health: {
      field: "backup",
      read: (isOwner) => ({
        interval: isOwner ? "/home/ann" : "hidden",
        running: false,
      }),
    },
  };
  const engines = startEngines({ store, clock: systemClock }, { ...idle, name: "silent" }, planted);
  onTestFinished(async () => await engines.stop());
  expect(engines.health(true)).toEqual({ backup: { interval: "/home/ann", running: false } });
  expect(engines.health(false)).toEqual({ backup: { interval: "hidden", running: false } });
});

const OK: Finding = { status: "ok", summary: "planted" };

const PLANTED: EngineChecks = {
  engine: "planted",
  fault: ({ version }) => (version === "bad" ? { ...OK, status: "warning" } : undefined),
  ofHealth: [{ id: "daemon.planted", look: () => OK }],
  ofDatabase: [{ id: "storage.planted", look: async () => OK }],
};

test("doctor runs the checks of the engines after its own, in the order of the engines", async () => {
  const all = [...ENGINE_CHECKS, PLANTED];
  expect(healthChecks(all).map(({ id }) => id)).toEqual([
    "daemon.backups",
    "daemon.federation",
    "daemon.planted",
  ]);
  expect(databaseChecks(all).map(({ id }) => id)).toEqual([
    "storage.jobs",
    "storage.issue_sync",
    "storage.federation",
    "storage.planted",
  ]);
  const [check] = databaseChecks([PLANTED]);
  expect(await check?.look({} as Reader)).toEqual(OK);
});

test("the check of a daemon's health names the first fault of an engine", () => {
  const health = (version: string) => ({ version }) as never;
  expect(engineFault(health("bad"), [PLANTED])).toEqual({ status: "warning", summary: "planted" });
  expect(engineFault(health("good"), [PLANTED])).toBeUndefined();
});
