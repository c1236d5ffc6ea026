import { importIssues as contract } from "../../contract/imports.ts";
import type { Deps } from "../../ops/deps.ts";
import { importIssues } from "../../ops/imports/import.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function importRoutes(app: App, deps: Deps): void {
  bind(app, deps, contract, importIssues);
}
