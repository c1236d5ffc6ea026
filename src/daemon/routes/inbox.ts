import * as contract from "../../contract/inbox.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { clearIssueRequest } from "../../ops/inbox/clear.ts";
import { notifyIssue } from "../../ops/inbox/notify.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function inboxRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.notifyIssue, notifyIssue);
  bind(app, deps, contract.clearIssueRequest, clearIssueRequest);
}
