import { expect } from "vitest";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { expectFolded } from "../../store/fold.ts";
import { chanceOf } from "../../support/fleet/work.ts";
import type { Net } from "./net.ts";
import { admitInPages, eventsOf, shuffled } from "./pages.ts";
import { portableRows } from "./portable.ts";
import { openReplica, Replica } from "./replica.ts";
import { storyOf } from "./story.ts";

/** Checks that admit the events of a hub at rest to an empty database. The last one purges issues. */
export const ADMISSIONS: Readonly<Record<string, (net: Net, seed: number) => Promise<void>>> = {
  "in the order of its ids, whatever the size of the pages": async (net, seed) => {
    const store = await openReplica(net.access, 100, 0);
    await admitInPages(store, net, await eventsOf(net), chanceOf(seed));
    await expectLikeHub(net, store);
  },
  "in any other order": async (net, seed) => {
    const [store, chance] = [await openReplica(net.access, 101, 0), chanceOf(seed)];
    await admitInPages(store, net, shuffled(await eventsOf(net), chance), chance);
    await expectLikeHub(net, store);
  },
  "to the daemon that wrote it and lost it": async (net, seed) => {
    const own = await openReplica(net.access, 102, 0, [net.hub.store.instanceUid]);
    expect(own.instanceUid).toBe(net.hub.store.instanceUid);
    const options = { fromHub: true, ownUpTo: Number.MAX_SAFE_INTEGER };
    await admitInPages(own, net, await eventsOf(net), chanceOf(seed), options);
    await expectLikeHub(net, own);
  },
  "from a new baseline on, without what was purged before it": async (net, seed) => {
    await net.purgeSome();
    const purged = await purgedUids(net);
    const replica = await Replica.join(net.access, 103, net.projects);
    await net.go(storyOf(seed + 1000, 1).before);
    await net.settle();
    await replica.pullAll();
    const found = await replica.store.read(async ({ issues }) => await issues.many(purged));
    expect([...found.keys()]).toEqual([]);
    await expectLikeHub(net, replica.store);
  },
};

async function expectLikeHub({ hub, projects }: Net, store: AdminStore): Promise<void> {
  await expectFolded(store);
  const uids = new Set(projects.map(({ uid }) => uid));
  expect(await portableRows(store, uids)).toEqual(await portableRows(hub.store, uids));
  await store.close();
}

async function purgedUids({ hub, projects }: Net): Promise<readonly string[]> {
  return await hub.store.read(async ({ baselines }) => {
    const spent = await Promise.all(projects.map(async ({ uid }) => await baselines.spent(uid)));
    return spent.flatMap(({ purged_uids }) => purged_uids);
  });
}
