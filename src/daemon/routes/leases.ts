import * as contract from "../../contract/leases.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { acquireIssueLease } from "../../ops/leases/acquire.ts";
import { forceReleaseIssueLease } from "../../ops/leases/force-release.ts";
import { releaseIssueLease } from "../../ops/leases/release.ts";
import { renewIssueLease } from "../../ops/leases/renew.ts";
import { getIssueLeaseStatus } from "../../ops/leases/status.ts";
import { takeReadyIssue, takeReadyIssueGlobal } from "../../ops/leases/take.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function leaseRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.getIssueLeaseStatus, getIssueLeaseStatus);
  bind(app, deps, contract.acquireIssueLease, acquireIssueLease);
  bind(app, deps, contract.renewIssueLease, renewIssueLease);
  bind(app, deps, contract.releaseIssueLease, releaseIssueLease);
  bind(app, deps, contract.forceReleaseIssueLease, forceReleaseIssueLease);
  bind(app, deps, contract.takeReadyIssue, takeReadyIssue);
  bind(app, deps, contract.takeReadyIssueGlobal, takeReadyIssueGlobal);
}
