import { listImports as contract } from "../../contract/import-batches.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { listImports } from "../../ops/imports/list.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function importRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract, listImports);
}
