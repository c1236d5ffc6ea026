import { expect, test } from "vitest";
import {
  testIssueSync as contract,
  disableIssueSync,
  enableIssueSync,
  getIssueSyncStatus,
} from "../../../src/contract/issue-sync.ts";
import type { FarSide } from "../../../src/ops/issue-sync/far-side.ts";
import { testIssueSync } from "../../../src/ops/issue-sync/test-hosts.ts";
import { ProviderFault } from "../../../src/sync/provider.ts";
import { describeStore } from "../../support/store.ts";
import { syncWorld } from "./synced.ts";

const NAMES = {
  project: "board",
  provider: "github",
  host: "github.com",
  display_name: "ann/web",
};

describeStore("the test of all bindings to code hosts", (open) => {
  test("tells of each enabled binding whether a run could begin, and changes no status", async () => {
    const { w, host, project, params, enable } = await syncWorld(open);
    const tested = async () => (await w.call(contract, { body: {} })).tested;
    expect(await tested()).toEqual([]);
    await enable();
    const before = await w.call(getIssueSyncStatus, { params });
    expect(await tested()).toEqual([{ ...NAMES, result: "ok" }]);
    host.fault = new ProviderFault("credentials", "the host answered 401", "renew it");
    expect(await tested()).toEqual([
      {
        ...{ ...NAMES, result: "failed", category: "credentials" },
        ...{ message: "the host answered 401", hint: "renew it" },
      },
    ]);
    expect(await w.call(getIssueSyncStatus, { params })).toEqual(before);
    await w.call(disableIssueSync, { params, body: {} });
    expect(await tested()).toEqual([]);
    host.fault = undefined;
    await enable();
    await w.given.archived(project);
    expect(await tested()).toEqual([]);
  });

  test("ends after seven seconds, and reports the remaining bindings as not tested", async () => {
    const { w } = await syncWorld(open);
    for (let at = 1; at <= 6; at += 1) {
      const { id } = await w.given.project(`p${at}`);
      await w.call(enableIssueSync, {
        params: { project_id: id, provider: "github" },
        body: { config: { owner: "ann", repo: "web" } },
      });
    }
    const limits: number[] = [];
    const slow: Pick<FarSide, "test"> = {
      test: async (_binding, maxMs) => {
        limits.push(maxMs);
        w.clock.advance(maxMs);
        return { result: "ok" };
      },
    };
    const deps = { store: w.store, clock: w.clock, farSide: slow as FarSide };
    const owner = { kind: "none", local: true } as const;
    const { tested } = await testIssueSync(deps as Parameters<typeof testIssueSync>[0], owner);
    expect(limits).toEqual([3000, 3000, 1000]);
    const results = tested.map(({ result }) => result);
    expect(results).toEqual(["ok", "ok", "ok", "untested", "untested", "untested"]);
  });
});
