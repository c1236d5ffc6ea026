import { expect, test } from "vitest";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  getIssueLeaseStatus,
  releaseIssueLease,
  renewIssueLease,
} from "../../src/contract/leases.ts";
import type { Input } from "../../src/contract/route.ts";
import { sweepLeases } from "../../src/ops/leases/sweep.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Path = Input<typeof getIssueLeaseStatus>["params"];
const TIMED = { claim_kind: "timed", ttl_seconds: 60 } as const;
const MINUTE = 60_000;

/** Returns the header that names the fence of the caller's lease. */
function under(fence: number | string): object {
  return { headers: { "x-svc-fence": String(fence) } };
}

async function acquire(w: World, params: Path, body: object = TIMED): Promise<number> {
  const { granted, lease } = await w.call(acquireIssueLease, { params, body });
  expect(granted).toBe(true);
  return lease?.fence ?? 0;
}

async function lease(w: World, params: Path) {
  return (await w.call(getIssueLeaseStatus, { params })).lease;
}

const ACTIONS = [
  ["acquire", acquireIssueLease, TIMED],
  ["renew", renewIssueLease, { ttl_seconds: 3600 }],
  ["release", releaseIssueLease, {}],
  ["force release", forceReleaseIssueLease, { reason: "gone" }],
] as const;

describeStore("the fence of an action on a lease", (open) => {
  test.each(ACTIONS)(
    "action %s under the fence of an earlier lease changes nothing, even by the same actor",
    async (_, route, body) => {
      const w = await world({ store: open });
      const { path: params } = await w.given.issue();
      const stale = await acquire(w, params);
      w.clock.advance(MINUTE);
      // Another worker with the same name acquires a new lease.
      const current = await acquire(w, params);
      const before = [await lease(w, params), await w.events()];
      const refused = await w.refused(route, { params, body, ...under(stale) });
      expect(refused).toMatchObject({ code: "fence_stale", data: { fence: stale, current } });
      expect([await lease(w, params), await w.events()]).toEqual(before);
    },
  );

  test.each(ACTIONS)("action %s is refused under the fence of an ended lease", async (...row) => {
    const [, route, body] = row;
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const input = { params, body, ...under(await acquire(w, params)) };
    w.clock.advance(MINUTE);
    expect(await w.refused(route, input)).toMatchObject({ code: "claim_expired" });
    await sweepLeases(w);
    expect(await w.refused(route, input)).toMatchObject({ code: "claim_expired" });
    const next = await acquire(w, params);
    await w.call(releaseIssueLease, { params });
    const over = { params, body, ...under(next) };
    expect(await w.refused(route, over)).toMatchObject({ code: "claim_not_held" });
    const future = { params, body, ...under(next + 1) };
    expect(await w.refused(route, future)).toMatchObject({ code: "claim_not_held" });
    expect(await w.refused(route, { params, body, ...under("x") })).toMatchObject({
      code: "validation",
    });
  });

  test.each(ACTIONS)("action %s under the fence of the present lease succeeds", async (...row) => {
    const [name, route, body] = row;
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const fence = await acquire(w, params);
    w.clock.advance(1000);
    await w.call<typeof route>(route, { params, body, ...under(fence) });
    const after = await lease(w, params);
    expect(after).toMatchObject({ fence, ...(name === "renew" ? { revision: 2 } : {}) });
    expect(after?.released_at !== undefined).toBe(name.endsWith("release"));
  });

  test("a fence is no permission: an actor who is not the holder is refused under the present fence too", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const fence = await acquire(w, params);
    const body = { actor: "bea", ttl_seconds: 60 };
    for (const route of [renewIssueLease, releaseIssueLease])
      expect(await w.refused(route, { params, body, ...under(fence) })).toMatchObject({
        code: "claim_not_held",
      });
    const asked = { params, body: { ...TIMED, actor: "bea" }, ...under(fence) };
    expect(await w.call(acquireIssueLease, asked)).toMatchObject({ granted: false });
  });
});
