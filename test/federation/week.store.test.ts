import { expect, test } from "vitest";
import { getProjectFederationStatus } from "../../src/contract/federation-status.ts";
import { INSTANCE_HEADER } from "../../src/contract/federation-transport.ts";
import { health } from "../../src/contract/health.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import { answer, joined, spokeOf } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import type { World } from "../support/world.ts";
import { expectClean, rowsOf } from "./copies.ts";

const [DAY, WEEK] = [24, 7 * 24];
/** The hours in which the first spoke has no network. */
const [AWAY, BACK] = [12, 12 + 6 * 24];
/** A pass takes ten times as long on PostgreSQL. */
const SIZES = {
  sqlite: { spokes: 4, stepHours: 6 },
  postgres: { spokes: 2, stepHours: 12 },
} as const;
const HOUR_MS = 3_600_000;
const HUB_HEALTH = { hub: 1, spoke: 0, disabled: 0, running: false, failing: 0 };
const SPOKE_HEALTH = { hub: 0, spoke: 1, disabled: 0, running: false };

/** Lets the engine of the spoke ask its hub, as it does every 30 seconds. */
async function sweep({ store, federation }: World): Promise<void> {
  const { signal } = new AbortController();
  const bulk = async () => await Promise.reject(new Error("no project is handed over"));
  await federation.engine.sweep({ store: withGuard(store, {}), bulk, term: undefined, signal });
}

/** Returns what the health says of the daemon and of federation. */
async function healthOf(w: World) {
  const { ok, federation } = await w.call(health);
  return { ok, ...federation, ...w.federation.engine.health?.read(true) };
}

/** The short form of `npm run bench -- federation-week`, which has a hundred spokes and daemons as programs. */
describeStore("a hub with a spoke that has no network for six days", (open) => {
  const { spokes: count, stepHours } = SIZES[open.dialect];
  test("the status and the health of the hub and its spokes are true at each look, and they have the same rows in the end", {
    timeout: 180_000,
  }, async () => {
    const it = await joined(open, undefined, { push: true });
    const { hub, server, project } = it;
    const issue = await hub.given.issue({ project, title: "changed by all" });
    const spokes: World[] = [it.spoke];
    while (spokes.length < count) {
      const more = { start: 20_000 * (spokes.length + 1), push: true };
      spokes.push((await spokeOf(open, it, more)).spoke);
    }
    const [first] = spokes;
    const ownId = async ({ store }: World) =>
      (await store.read(async ({ projects }) => await projects.find(project.uid)))?.id ?? 0;
    const statusOf = async (w: World) => {
      const params = { project_id: await ownId(w) };
      return (await w.call(getProjectFederationStatus, { params })).statuses[0];
    };
    const pass = async () => {
      for (const spoke of spokes) await sweep(spoke);
    };
    await pass();

    for (let hour = 0; hour <= WEEK; hour += stepHours) {
      const isAway = hour >= AWAY && hour < BACK;
      server.intercept((request, response) => {
        const isOff =
          isAway && request.headers[INSTANCE_HEADER.toLowerCase()] === first?.store.instanceUid;
        if (isOff) request.socket.destroy();
        else void answer(hub, request, response);
      });
      if (hour % DAY === 0)
        for (const [number, spoke] of spokes.entries()) {
          hub.clock.advance(1000);
          const params = { project_id: await ownId(spoke), ref: issue.uid };
          await spoke.call(editIssue, { params, body: { title: `${number}, hour ${hour}` } });
        }
      await pass();
      expect(await statusOf(hub)).toMatchObject({ enabled: true, enrollment_count: count });
      expect(await healthOf(hub), `hour ${hour}`).toEqual({ ok: true, ...HUB_HEALTH });
      for (const spoke of spokes) {
        const status = await statusOf(spoke);
        const isOff = isAway && spoke === first;
        const days = Math.floor(hour / DAY);
        expect(status, `hour ${hour}`).toMatchObject({
          enabled: true,
          pending_push_count: isOff ? days : 0,
          active_quarantine_count: 0,
          ...(isOff ? { last_error: "hub_unavailable" } : { last_sync_at: hub.clock.now() }),
        });
        if (!isOff) expect(status, `hour ${hour}`).not.toHaveProperty("last_error");
        const failing = isOff ? 1 : 0;
        expect(await healthOf(spoke), `hour ${hour}`).toEqual({
          ok: true,
          ...SPOKE_HEALTH,
          failing,
        });
      }
      hub.clock.advance(stepHours * HOUR_MS);
    }
    await pass();
    for (const spoke of spokes) {
      expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
      expect((await statusOf(spoke))?.comparison).toMatchObject({ state: "equal" });
      await expectClean(spoke);
    }
    await expectClean(hub);
  });
});
