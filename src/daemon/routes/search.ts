import * as contract from "../../contract/search.ts";
import type { Deps } from "../../ops/deps.ts";
import { readyIssues } from "../../ops/search/ready.ts";
import { readyIssuesGlobal } from "../../ops/search/ready-global.ts";
import { searchIssues } from "../../ops/search/search.ts";
import { whyIssue } from "../../ops/search/why.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";
import { bind } from "../bind.ts";

export function searchRoutes(app: App, deps: Deps, aside: Aside | undefined): void {
  bind(app, deps, contract.searchIssues, searchIssues);
  bindAside(app, deps, aside, contract.readyIssues, readyIssues);
  bindAside(app, deps, aside, contract.readyIssuesGlobal, readyIssuesGlobal);
  bind(app, deps, contract.whyIssue, whyIssue);
}
