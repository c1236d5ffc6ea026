import { SvcError } from "../../contract/errors.ts";
import * as contract from "../../contract/issue-sync.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { disableIssueSync } from "../../ops/issue-sync/disable.ts";
import { enableIssueSync } from "../../ops/issue-sync/enable.ts";
import type { FarSide } from "../../ops/issue-sync/far-side.ts";
import { runIssueSyncOnce } from "../../ops/issue-sync/once.ts";
import { getIssueSyncStatus } from "../../ops/issue-sync/status.ts";
import { testIssueSync } from "../../ops/issue-sync/test-hosts.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function issueSyncRoutes(
  app: App,
  deps: UngatedDeps,
  farSide: FarSide = UNAVAILABLE_HOSTS,
): void {
  bind(app, deps, contract.enableIssueSync, async (opDeps, who, input) =>
    enableIssueSync({ ...opDeps, farSide }, who, input),
  );
  bind(app, deps, contract.disableIssueSync, disableIssueSync);
  bind(app, deps, contract.getIssueSyncStatus, getIssueSyncStatus);
  bind(app, deps, contract.runIssueSyncOnce, async (opDeps, who, input) =>
    runIssueSyncOnce({ ...opDeps, farSide }, who, input),
  );
  bind(app, deps, contract.testIssueSync, async (opDeps, who) =>
    testIssueSync({ ...opDeps, farSide }, who),
  );
}

/** Used if nothing may be sent to other machines, as in tests of other routes: no repository can be read. */
const UNAVAILABLE_HOSTS: FarSide = {
  isListed: () => false,
  importSource: (display_name) => display_name,
  identify: async () => await Promise.reject(new SvcError("unavailable")),
  test: async () => await Promise.reject(new SvcError("unavailable")),
  run: async () => await Promise.reject(new SvcError("unavailable")),
  wake: () => undefined,
};
