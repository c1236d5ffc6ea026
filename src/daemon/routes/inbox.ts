import * as contract from "../../contract/inbox.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { clearIssueRequest } from "../../ops/inbox/clear.ts";
import { listInbox, listInboxGlobal } from "../../ops/inbox/list.ts";
import { notifyIssue } from "../../ops/inbox/notify.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";
import { bind } from "../bind.ts";

export function inboxRoutes(app: App, deps: UngatedDeps, aside: Aside | undefined): void {
  bind(app, deps, contract.notifyIssue, notifyIssue);
  bind(app, deps, contract.clearIssueRequest, clearIssueRequest);
  bindAside(app, deps, aside, contract.listInbox, listInbox);
  bindAside(app, deps, aside, contract.listInboxGlobal, listInboxGlobal);
}
