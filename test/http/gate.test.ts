import { expect, test } from "vitest";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { ROUTES } from "../../src/contract/index.ts";
import type { WriteGuard } from "../../src/store/types/store.ts";
import { R as NATIVE } from "../domain/cron/bases.ts";
import { Host } from "../ops/issue-sync/host.ts";
import { rawOf } from "../support/broken.ts";
import { makeHub } from "../support/federated.ts";
import { sqliteDatabase } from "../support/store.ts";
import { seeded, sent, wholeOf } from "../support/whole.ts";
import { type World, world } from "../support/world.ts";

/** Makes a recurring job that svc runs itself and that is due once: a sweep writes only what is due. */
async function dueJob(w: World) {
  const parent = await w.given.issue({ project: await w.given.project("jobs") });
  const definition = {
    ...NATIVE,
    trigger: { kind: "interval", interval_seconds: 60 },
    issue: { ...NATIVE.issue, parent_uid: parent.uid },
  };
  const { job } = await w.call(createCronJob, {
    params: { project_id: parent.project_id },
    body: { name: "due", definition: definition as never },
  });
  w.clock.advance(90_000);
  return { project_id: String(parent.project_id), cron_uid: job.uid };
}

/** These need more than the right to read, and write nothing to the tables of issues; a copy asks its hub first, which is not there. */
const WRITE_NOTHING = new Set([
  "streamEvents",
  "testIssueSync",
  "testEmbeddings",
  "reindexEmbeddings",
  "resyncFederationReplica",
  "verifyFederationReplica",
  "rebindFederationReplica",
]);

test("every route that writes checks the lease before it reaches the store", async () => {
  const issueSync = { repositories: [], provider: async () => new Host() };
  const w = await world({ store: (await sqliteDatabase()).open, issueSync });
  const seeds = await seeded(w);
  const writes: (WriteGuard | undefined)[] = [];
  const write = w.store.write.bind(w.store);
  w.store.write = async (work, guard) => {
    writes.push(guard);
    return await write(work, guard);
  };
  const found: string[] = [];
  const routes = ROUTES.filter(({ id, access }) => access === "write" && !WRITE_NOTHING.has(id));
  for (const route of routes) {
    const due = route.id === "sweepCronJob" ? await dueJob(w) : {};
    // The project of the other requests has become a hub's by then.
    const copy = route.id === "leaveFederationReplica" ? await w.given.project("copy") : undefined;
    if (copy !== undefined) await makeHub(w, copy, { role: "spoke", hub_url: "https://hub" });
    const left = copy === undefined ? {} : { project_id: String(copy.id) };
    writes.length = 0;
    await sent(w, rawOf(route, wholeOf(route, { ...seeds, ...due, ...left })));
    if (writes.length === 0) found.push(`${route.id} wrote nothing`);
    if (writes.some((guard) => guard?.append === undefined || guard.purgeIssue === undefined))
      found.push(`${route.id} wrote without the gate`);
  }
  expect(found).toEqual([]);
  expect(routes.length).toBeGreaterThan(40);
});
