import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { enableIssueSync, getIssueSyncStatus } from "../../src/contract/issue-sync.ts";
import { issueSyncOf } from "../../src/daemon/issue-sync.ts";
import { databaseChecks } from "../../src/engines/checks/all.ts";
import { ProviderFault } from "../../src/sync/provider.ts";
import { syncWorld } from "../ops/issue-sync/synced.ts";
import { watched } from "../support/clock.ts";
import { startEngines } from "../support/engines.ts";
import { describeStore } from "../support/store.ts";

describeStore("the engine of issue sync", (open) => {
  test("reads due bindings every 30 seconds, and a binding at once when it is enabled", async () => {
    const { w, host, params, list } = await syncWorld(open);
    const { clock, next } = watched(w.clock);
    const settings = { repositories: [], provider: async () => host };
    const parts = { store: w.store, ids: w.ids, settings: w.settings, log: silentLog };
    const sync = issueSyncOf(settings, { ...parts, clock, worker: undefined });
    const running = startEngines({ store: w.store, clock }, sync.engine);
    expect(await next()).toBe(2000);
    w.clock.advance(2000);
    expect(await next()).toBe(30_000);
    expect(running.health(true)).toEqual({ sync: { enabled: 0, failing: 0, running: false } });
    host.put(1);
    const config = { owner: "ann", repo: "web" };
    await w.call(enableIssueSync, { params, body: { config, interval: 45 } });
    sync.farSide.wake();
    expect(await next()).toBe(30_000);
    expect(await list()).toHaveLength(1);
    expect(running.health(true)).toEqual({
      sync: { enabled: 1, failing: 0, running: false },
    });
    w.clock.advance(30_000);
    expect(await next()).toBe(15_000);
    expect(host.runs).toHaveLength(1);
    host.fault = new ProviderFault("rate_limited", "the host asks to wait", "wait");
    w.clock.advance(15_000);
    expect(await next()).toBe(30_000);
    expect(host.runs).toHaveLength(2);
    expect(running.health(true)).toMatchObject({ sync: { failing: 1 } });
    const { status } = await w.call(getIssueSyncStatus, { params });
    expect(status.last_error).toBe("rate_limited: the host asks to wait");
    const check = databaseChecks().find(({ id }) => id === "storage.issue_sync");
    const found = await w.store.read(async (reader) => await check?.look(reader));
    expect(found).toMatchObject({
      status: "warning",
      summary: "the last run failed for board from ann/web: rate_limited: the host asks to wait",
    });
    await running.stop();
  });

  test("a stop ends a run, and the status says that the run was interrupted", async () => {
    const { w, host, params, enable } = await syncWorld(open);
    const { clock, next } = watched(w.clock);
    const settings = { repositories: [], provider: async () => host };
    const parts = { store: w.store, ids: w.ids, settings: w.settings, log: silentLog };
    const sync = issueSyncOf(settings, { ...parts, clock, worker: undefined });
    const running = startEngines({ store: w.store, clock }, sync.engine);
    expect(await next()).toBe(2000);
    host.put(1);
    await enable();
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    host.before = async (kind) => {
      if (kind !== "issues") return;
      reached.resolve();
      await goOn.promise;
    };
    w.clock.advance(2000);
    await reached.promise;
    const stopped = Promise.all([running.stop(), sync.farSide.stop()]);
    goOn.resolve();
    await stopped;
    const { status } = await w.call(getIssueSyncStatus, { params });
    expect(status).toMatchObject({ state: "enabled", last_error: "interrupted: it was stopped" });
  });
});
