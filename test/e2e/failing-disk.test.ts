import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { examineDatabase } from "../../src/archive/doctor.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { ROUTES } from "../../src/contract/index.ts";
import type { Route } from "../../src/contract/route.ts";
import { openStore } from "../../src/store/open.ts";
import { rawOf } from "../support/broken.ts";
import { call, tempFolder } from "../support/daemon.ts";
import { daemonProcess } from "../support/daemon-process.ts";
import { diskFaults, FAULTS, type Fault, hasDiskFaults } from "../support/disk-faults.ts";
import { type Seeds, seeded, wholeOf } from "../support/whole.ts";
import { world } from "../support/world.ts";

/** How many points are tried; `SVC_DISK_POINTS=all` tries each sync and write of each operation, which takes long. */
const POINTS = process.env["SVC_DISK_POINTS"] ?? "20";

/** The operations that write. */
const WRITES = ROUTES.filter(
  ({ access, method }) => /write|tokens/.test(access) && method !== "GET",
);

interface Seeded {
  readonly path: string;
  readonly seeds: Seeds;
  readonly last: number;
}

/** One operation whose nth sync or write fails. */
interface Point {
  readonly route: Route;
  readonly fault: Fault;
  readonly before: number;
}

interface Ended {
  readonly status: number;
  readonly code: string | undefined;
  /** How many events the database has more after a recovery. */
  readonly events: number;
  readonly hasFailed: boolean;
  readonly counted: number;
  /** What doctor finds. */
  readonly faults: readonly unknown[];
}

async function seededFile(): Promise<Seeded> {
  const path = join(tempFolder(), "svc.db");
  const w = await world({ store: async (options) => await openStore({ ...options, dsn: path }) });
  const seeds = await seeded(w);
  const last = await w.store.read(async ({ events }) => await events.lastId());
  await w.store.close();
  return { path, seeds, last };
}

/** Sends the operation's request to a daemon on a copy of the file, and kills the daemon after its answer. */
async function at({ path, seeds, last }: Seeded, point: Point): Promise<Ended> {
  const folder = tempFolder();
  const db = join(folder, "home", "svc.db");
  mkdirSync(dirname(db), { mode: 0o700 });
  copyFileSync(path, db);
  const disk = diskFaults(folder);
  const daemon = await daemonProcess({ folder, env: disk.env });
  const { route } = point;
  const raw = rawOf(route, wholeOf(route, seeds));
  const body = typeof raw.body === "string" ? { body: JSON.parse(raw.body) as object } : {};
  const asked = `${raw.path}${raw.query === "" ? "" : `?${raw.query}`}`;
  disk.arm(point.fault, point.before);
  const answer = await call(daemon.endpoint, route.method, asked, {
    ...body,
    headers: raw.headers,
  });
  const counts = { hasFailed: disk.hasFailed(), counted: disk.counted() };
  await daemon.end("SIGKILL");
  const store = await openStore({
    ...{ dsn: db, clock: systemClock, ids: systemIds(), timezone: "UTC" },
  });
  const now = await store.read(async ({ events }) => await events.lastId());
  await store.close();
  const { integrity, changedEvents, fold, derived } = await examineDatabase({
    ...{ dialect: "sqlite", dsn: db },
  });
  const { error } = answer.body as { readonly error?: { readonly code: string } };
  return {
    ...counts,
    status: answer.status,
    code: error?.code,
    events: now - last,
    faults: [...integrity, ...changedEvents, fold ?? [], derived ?? []].flat(),
  };
}

/** All points, from runs of each operation in which nothing fails. */
async function pointsOf(
  file: Seeded,
  route: Route,
): Promise<{ readonly events: number; readonly points: readonly Point[] }> {
  const never = 1_000_000;
  const [synced, written] = [
    await at(file, { route, fault: "sync", before: never }),
    await at(file, { route, fault: "write", before: never }),
  ];
  const counts = { sync: synced, late: synced, write: written, torn: written, full: written };
  const points = FAULTS.flatMap((fault) =>
    Array.from({ length: counts[fault].counted }, (_, before) => ({ route, fault, before })),
  );
  return { events: synced.events, points };
}

/** Whether the answer is true of the database: made, refused, or either where the outcome is unknown. */
function isTrue({ status, code, events, faults, hasFailed }: Ended, expected: number): boolean {
  const allowed = code === "outcome_unknown" ? [0, expected] : status < 400 ? [expected] : [0];
  return hasFailed && allowed.includes(events) && faults.length === 0 && code !== "internal";
}

test.skipIf(!hasDiskFaults)(
  `if the disk fails at a sync or a write, every answer agrees with what is stored (failed at ${POINTS} moments)`,
  async () => {
    const file = await seededFile();
    const isAll = POINTS === "all";
    const wrong: unknown[] = [];
    const codes: string[] = [];
    for (const route of WRITES) {
      if (!isAll && codes.length >= Number(POINTS)) break;
      const { events, points } = await pointsOf(file, route);
      // The suite tries few of the operations, and of each of them one point of each kind.
      const chosen = isAll ? points : FAULTS.flatMap((fault) => lastOf(points, fault));
      for (const point of chosen) {
        const ended = await at(file, point);
        codes.push(ended.code ?? String(ended.status));
        if (!isTrue(ended, events)) wrong.push({ ...point, route: route.id, ...ended });
      }
      if (POINTS !== "20")
        process.stdout.write(`${route.id}: ${chosen.length} points, ${told(codes)}\n`);
    }
    expect(wrong).toEqual([]);
    expect(codes.length).toBeGreaterThanOrEqual(isAll ? 100 : Number(POINTS));
    // A sync at the commit leaves it unknown, and a write refuses it.
    expect(new Set(codes)).toEqual(new Set(["outcome_unknown", "unavailable"]));
  },
  7_200_000,
);

function told(codes: readonly string[]): string {
  return [...new Set(codes)]
    .map((code) => `${codes.filter((other) => other === code).length} ${code}`)
    .join(", ");
}

/** The last sync or write of an operation is that of its commit mark. */
function lastOf(points: readonly Point[], fault: Fault): readonly Point[] {
  return points.filter((point) => point.fault === fault).slice(-1);
}
