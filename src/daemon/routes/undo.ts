import * as contract from "../../contract/undo.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { undoGlobal, undoProject } from "../../ops/undo/undo.ts";
import type { App } from "../app.ts";
import { bindHeavyWrite } from "../write-worker/bind-heavy-write.ts";
import type { WriteWorker } from "../write-worker/write-worker.ts";

export function undoRoutes(
  app: App,
  deps: UngatedDeps,
  writeWorker: WriteWorker | undefined,
): void {
  bindHeavyWrite(app, deps, writeWorker, contract.undoGlobal, undoGlobal);
  bindHeavyWrite(app, deps, writeWorker, contract.undoProject, undoProject);
}
