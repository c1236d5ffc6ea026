import * as contract from "../../contract/search.ts";
import type { Deps } from "../../ops/deps.ts";
import type { PastDeps } from "../../ops/past/list.ts";
import { readyIssues } from "../../ops/search/ready.ts";
import { readyIssuesGlobal } from "../../ops/search/ready-global.ts";
import { searchIssues } from "../../ops/search/search.ts";
import { whyIssue } from "../../ops/search/why.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function searchRoutes(app: App, deps: Deps & PastDeps): void {
  bind(app, deps, contract.searchIssues, searchIssues);
  bind(app, deps, contract.readyIssues, readyIssues);
  bind(app, deps, contract.readyIssuesGlobal, readyIssuesGlobal);
  bind(app, deps, contract.whyIssue, whyIssue);
}
