import * as contract from "../../contract/undo.ts";
import type { Deps } from "../../ops/deps.ts";
import { undoGlobal, undoProject } from "../../ops/undo/undo.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function undoRoutes(app: App, deps: Deps): void {
  bind(app, deps, contract.undoGlobal, undoGlobal);
  bind(app, deps, contract.undoProject, undoProject);
}
