import * as contract from "../../contract/search.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { readyIssues } from "../../ops/search/ready.ts";
import { readyIssuesGlobal } from "../../ops/search/ready-global.ts";
import { searchIssues } from "../../ops/search/search.ts";
import { whyIssue } from "../../ops/search/why.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";

export function searchRoutes(app: App, deps: UngatedDeps, aside: Aside | undefined): void {
  bindAside(app, deps, aside, contract.searchIssues, searchIssues);
  bindAside(app, deps, aside, contract.readyIssues, readyIssues);
  bindAside(app, deps, aside, contract.readyIssuesGlobal, readyIssuesGlobal);
  bindAside(app, deps, aside, contract.whyIssue, whyIssue);
}
