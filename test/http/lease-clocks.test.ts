import { expect, test, vi } from "vitest";
import { type Clock, instantToMs, msToInstant, systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { silentLog } from "../../src/base/log.ts";
import { setIssuePriority } from "../../src/contract/actions.ts";
import { listHoldersGlobal } from "../../src/contract/holders.ts";
import { showIssue } from "../../src/contract/issues.ts";
import {
  acquireIssueLease,
  getIssueLeaseStatus,
  renewIssueLease,
  takeReadyIssue,
} from "../../src/contract/leases.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { leaseEngine } from "../../src/engines/leases.ts";
import { acquireIssueLease as acquire } from "../../src/ops/leases/acquire.ts";
import { sweepLeases } from "../../src/ops/leases/sweep.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import type { Store } from "../../src/store/types/store.ts";
import { created, log, projectCreated, T0, uid } from "../store/drafts.ts";
import { FakeClock, watched } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { describePostgres, describeStore, type TestDatabase } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIMED = { claim_kind: "timed", ttl_seconds: 600 } as const;

/** The clock of a machine that is wrong by this many milliseconds. */
function wrongBy(ms: number): Clock {
  return {
    nowMs: () => systemClock.nowMs() + ms,
    now: () => msToInstant(systemClock.nowMs() + ms),
    sleep: systemClock.sleep,
  };
}

/** A daemon on a machine whose clock is wrong by this many milliseconds. */
async function daemon(database: TestDatabase, ms: number): Promise<World> {
  const w = await world({ store: async () => await database.open({ clock: wrongBy(ms) }) });
  w.clock.advance(systemClock.nowMs() + ms - w.clock.nowMs());
  // Skips ids, so that no two daemons of the test give out the same uid.
  const first = Math.abs(ms) / HOUR;
  for (let at = 0; at < first * 1000; at += 1) w.ids.ulid();
  return w;
}

function fromNow(instant: string): number {
  return Math.abs(instantToMs(instant) - systemClock.nowMs());
}

describePostgres("leases of daemons whose clocks differ", (open) => {
  test("use the server's clock: a daemon an hour ahead neither ends nor reassigns a lease early", async () => {
    const database = await open.database();
    const [right, ahead] = [await daemon(database, 0), await daemon(database, HOUR)];
    const { path: params } = await right.given.issue();
    await right.call(setIssuePriority, { params, body: { priority: 3, actor: "cyd" } });
    await right.call(acquireIssueLease, { params, body: TIMED });
    expect(await sweepLeases(ahead)).toBe(0);
    const bea = { actor: "bea" };
    const asked = await ahead.call(acquireIssueLease, { params, body: { ...TIMED, ...bea } });
    expect(asked).toMatchObject({ granted: false, holder: { holder: "ann" } });
    const taken = await ahead.call(takeReadyIssue, {
      params: { project_id: params.project_id },
      body: { ...bea, lease: { ttl_seconds: 60 } },
    });
    expect(taken.issue).toBeNull();
    const undone = await ahead.call(undoGlobal, {
      body: { ...bea, of_actor: "cyd", since: "2020-01-01T00:00:00Z", dry_run: true },
    });
    expect(undone.conflicts.map(({ reason }) => reason)).toEqual(["leased"]);
    await ahead.call(setIssuePriority, { params, body: { priority: 1 } });
    const refused = await ahead.refused(setIssuePriority, {
      params,
      body: { priority: 2, ...bea },
    });
    expect(refused.code).toBe("claim_denied");
  });

  test("show and expire by the server's clock, whichever daemon answers", async () => {
    const database = await open.database();
    const [right, ahead] = [await daemon(database, 0), await daemon(database, HOUR)];
    const { path: params } = await right.given.issue();
    await right.call(acquireIssueLease, { params, body: TIMED });
    const status = await ahead.call(getIssueLeaseStatus, { params });
    expect([status.held, status.lease?.holder]).toEqual([true, "ann"]);
    expect(fromNow(status.hub_now)).toBeLessThan(HOUR / 2);
    const shown = await ahead.call(showIssue, { params });
    expect(shown.lease?.holder).toBe("ann");
    expect(fromNow(shown.lease_hub_now ?? T0)).toBeLessThan(HOUR / 2);
    expect(fromNow((await ahead.call(listHoldersGlobal, {})).now)).toBeLessThan(HOUR / 2);
    const { lease } = await ahead.call(renewIssueLease, { params, body: { ttl_seconds: 60 } });
    expect(fromNow(lease?.expires_at ?? T0)).toBeLessThan(HOUR / 2);
  });

  test("cost a write one query for the server's time, and only if the issue has a lease", async () => {
    const w = await daemon(await open.database(), 0);
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    const asked = async (write: () => Promise<unknown>) => {
      execute.mockClear();
      await write();
      return execute.mock.calls.filter(([text]) => text.includes("clock_timestamp")).length;
    };
    const { path: params } = await w.given.issue();
    const prioritize = async (priority: number) =>
      await w.call(setIssuePriority, { params, body: { priority } });
    expect(await asked(async () => await w.given.issue())).toBe(0);
    expect(await asked(async () => await prioritize(1))).toBe(0);
    await w.call(acquireIssueLease, { params, body: TIMED });
    expect(await asked(async () => await prioritize(2))).toBe(1);
    execute.mockRestore();
  });
});

describeStore("leases after the clock was changed", (open) => {
  test("last their whole time from the next check after the change, and no longer", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await w.call(acquireIssueLease, { params, body: TIMED });
    expect(await sweepLeases(w)).toBe(0);
    const before = await w.call(getIssueLeaseStatus, { params });
    expect(before.lease).toMatchObject({ revision: 1, expires_at: "2026-01-01T00:10:00.000Z" });
    w.clock.advance(-DAY);
    await sweepLeases(w);
    const after = await w.call(getIssueLeaseStatus, { params });
    expect(after).toMatchObject({
      held: true,
      lease: { fence: 1, revision: 2, expires_at: "2025-12-31T00:10:00.000Z" },
    });
    await sweepLeases(w);
    expect((await w.call(getIssueLeaseStatus, { params })).lease?.revision).toBe(2);
    w.clock.advance(600_000);
    expect(await sweepLeases(w)).toBe(1);
  });

  test("are all checked, however many there are", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    for (let at = 0; at < 101; at += 1) {
      const { path: params } = await w.given.issue({ project });
      await w.call(acquireIssueLease, { params, body: TIMED });
    }
    w.clock.advance(-DAY);
    await sweepLeases(w);
    const { holders } = await w.call(listHoldersGlobal, { query: { limit: 200 } });
    const ends = new Set(holders.map(({ lease }) => lease?.expires_at));
    expect([holders.length, ...ends]).toEqual([101, "2025-12-31T00:10:00.000Z"]);
  });

  test.each([
    ["a day back", -DAY],
    ["five minutes back", -5 * MINUTE],
    ["five minutes ahead", 5 * MINUTE],
    ["a day ahead", DAY],
  ])("last at most their duration longer if the clock is %s after a restart", async (_, moved) => {
    const database = await open.database();
    const before = await database.open({ clock: new FakeClock() });
    await log(before, projectCreated(uid(1), "web"), created(uid(1), uid(101)));
    expect(await ask(before, "ann")).toMatchObject({ granted: true, lease: { fence: 1 } });
    await before.close();

    const clock = new FakeClock(msToInstant(instantToMs(T0) + moved));
    const store = await database.open({ clock });
    const { clock: seen, next } = watched(clock);
    const sweeper = startEngines({ store, clock: seen }, leaseEngine({ log: silentLog }));
    expect(await next()).toBe(SECOND);
    clock.advance(SECOND);
    await next();
    await sweeper.stop();
    clock.advance(TIMED.ttl_seconds * SECOND - SECOND);
    if (moved < 0) expect(await ask(store, "bea")).toMatchObject({ granted: false });
    clock.advance(SECOND);
    expect(await ask(store, "bea")).toMatchObject({ granted: true, lease: { fence: 2 } });
  });
});

async function ask(store: Store, actor: string) {
  const params = { project_id: 1, ref: uid(101) };
  const input = { params, query: {}, headers: {}, body: { ...TIMED, actor } };
  return await acquire({ store, ids: systemIds() }, { kind: "none", local: true }, input);
}
