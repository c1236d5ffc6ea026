import * as contract from "../../contract/undo.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { undoGlobal, undoProject } from "../../ops/undo/undo.ts";
import type { App } from "../app.ts";
import { bindBulk } from "../bulk/bind-bulk.ts";
import type { Bulk } from "../bulk/bulk.ts";

export function undoRoutes(app: App, deps: UngatedDeps, bulk: Bulk | undefined): void {
  bindBulk(app, deps, bulk, contract.undoGlobal, undoGlobal);
  bindBulk(app, deps, bulk, contract.undoProject, undoProject);
}
