import * as contract from "../../contract/search.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { readyIssues } from "../../ops/search/ready.ts";
import { readyIssuesGlobal } from "../../ops/search/ready-global.ts";
import { searchIssues } from "../../ops/search/search.ts";
import { whyIssue } from "../../ops/search/why.ts";
import type { App } from "../app.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

export function searchRoutes(
  app: App,
  deps: UngatedDeps,
  readWorker: ReadWorker | undefined,
): void {
  bindHeavyRead(app, deps, readWorker, contract.searchIssues, searchIssues);
  bindHeavyRead(app, deps, readWorker, contract.readyIssues, readyIssues);
  bindHeavyRead(app, deps, readWorker, contract.readyIssuesGlobal, readyIssuesGlobal);
  bindHeavyRead(app, deps, readWorker, contract.whyIssue, whyIssue);
}
