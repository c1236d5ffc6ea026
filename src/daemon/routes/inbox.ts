import * as contract from "../../contract/inbox.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { clearIssueRequest } from "../../ops/inbox/clear.ts";
import { listInbox, listInboxGlobal } from "../../ops/inbox/list.ts";
import { notifyIssue } from "../../ops/inbox/notify.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

export function inboxRoutes(app: App, deps: UngatedDeps, readWorker: ReadWorker | undefined): void {
  bind(app, deps, contract.notifyIssue, notifyIssue);
  bind(app, deps, contract.clearIssueRequest, clearIssueRequest);
  bindHeavyRead(app, deps, readWorker, contract.listInbox, listInbox);
  bindHeavyRead(app, deps, readWorker, contract.listInboxGlobal, listInboxGlobal);
}
