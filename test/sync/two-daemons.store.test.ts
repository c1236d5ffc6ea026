import { expect, test } from "vitest";
import {
  disableIssueSync,
  getIssueSyncStatus,
  runIssueSyncOnce,
} from "../../src/contract/issue-sync.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import { claimDue } from "../../src/ops/issue-sync/claim.ts";
import { JULY } from "../ops/issue-sync/host.ts";
import { syncWorld } from "../ops/issue-sync/synced.ts";
import { countingIds } from "../support/ids.ts";
import { describePostgres, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";

/** Two daemons on one database that read the same repository, which has two issues, one in each batch. */
async function twoDaemons(open: OpenTestStore) {
  const database = await open.database();
  const first = await syncWorld(async (options) => await database.open(options));
  const { w, host, project, enable } = first;
  const second = await world({
    store: async (options) => await database.open(options),
    issueSync: { repositories: [], provider: async () => host },
    clock: w.clock,
    ids: countingIds(100_000),
  });
  for (const number of [1, 2]) host.put(number);
  host.batch = 1;
  await enable();
  const claimBy = async (store: typeof w.store) =>
    await claimDue(withGuard(store, {}), project.uid, w.clock.nowMs());
  return { ...first, second, claimBy };
}

describePostgres("two daemons on one database", (open) => {
  test("claim a run that is due only once, whichever daemon asks first", async () => {
    const { w, second, claimBy } = await twoDaemons(open);
    const claims = await Promise.all([claimBy(w.store), claimBy(second.store)]);
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  test("refuse a run while the other daemon runs one, and end their run if the other disables the sync", async () => {
    const { w, host, params, second, list, enable, once } = await twoDaemons(open);
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let batches = 0;
    host.before = async (kind) => {
      if (kind !== "issues" || (batches += 1) !== 2) return;
      reached.resolve();
      await goOn.promise;
    };
    const running = w.refused(runIssueSyncOnce, { params, body: {} });
    await reached.promise;
    const other = await second.refused(runIssueSyncOnce, { params, body: {} });
    expect(other.code).toBe("issue_sync_already_running");
    expect((await second.call(getIssueSyncStatus, { params })).status.state).toBe("running");
    await second.call(disableIssueSync, { params, body: {} });
    goOn.resolve();
    expect((await running).code).toBe("issue_sync_binding_changed");
    expect(await list()).toHaveLength(1);

    host.before = async () => undefined;
    await enable();
    expect((await second.call(runIssueSyncOnce, { params, body: {} })).import).toMatchObject({
      created: 1,
      unchanged: 1,
    });
    host.put(2, { title: "renamed", updated_at: JULY });
    await enable({ config: { owner: "ann", repo: "web", title_prefix: false } });
    expect((await once()).import).toMatchObject({ created: 0, updated: 2 });
    const again = await second.call(runIssueSyncOnce, { params, body: { parents: true } });
    expect(again.import).toMatchObject({ created: 0, updated: 0 });
    expect(await list()).toHaveLength(2);
  });
});
