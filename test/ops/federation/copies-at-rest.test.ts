import { expect, test } from "vitest";
import { acquireIssueLease } from "../../../src/contract/leases.ts";
import { askAboutDates } from "../../../src/ops/inbox/ask-dates.ts";
import { sweepLeases } from "../../../src/ops/leases/sweep.ts";
import { makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";

/** A project with an issue whose deadline is over, and one whose lease is. */
async function overdue(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const dated = await w.given.issue({ project, owner: "ann" });
  await w.given.metadata(dated, { deadline_on: "2026-01-02" });
  const leased = await w.given.issue({ project });
  const lease = { claim_kind: "timed", ttl_seconds: 60 } as const;
  await w.call(acquireIssueLease, { params: leased.path, body: lease });
  w.clock.advance(7 * 24 * 3_600_000);
  const asked = async () => await askAboutDates(w, [dated.uid]);
  return { w, project, asked };
}

describeStore("the work that a daemon does on its own", (open) => {
  test("is done for a project of which the daemon is the hub", async () => {
    const { w, project, asked } = await overdue(open);
    await makeHub(w, project);
    expect((await asked()).changed).toBe(1);
    expect(await sweepLeases(w)).toBe(1);
  });

  test("is left to the hub for a copy, and nothing fails", async () => {
    const { w, project, asked } = await overdue(open);
    await makeHub(w, project, { role: "spoke", hub_url: "https://hub.example" });
    const before = (await w.events()).length;
    expect(await asked()).toMatchObject({ changed: 0, faults: new Map() });
    expect(await sweepLeases(w)).toBe(0);
    expect(await w.store.read(async ({ leases }) => await leases.nextExpiry())).toBeUndefined();
    expect(await w.events()).toHaveLength(before);
  });
});
