import { importIssues as contract } from "../../contract/imports.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { importIssues } from "../../ops/imports/import.ts";
import type { App } from "../app.ts";
import { bindBulk } from "../bulk/bind-bulk.ts";
import type { Bulk } from "../bulk/bulk.ts";

export function importRoutes(app: App, deps: UngatedDeps, bulk: Bulk | undefined): void {
  bindBulk(app, deps, bulk, contract, importIssues);
}
