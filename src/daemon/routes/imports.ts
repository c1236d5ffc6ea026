import { importIssues as contract } from "../../contract/imports.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { importIssues } from "../../ops/imports/import.ts";
import type { App } from "../app.ts";
import { bindHeavyWrite } from "../write-worker/bind-heavy-write.ts";
import type { WriteWorker } from "../write-worker/write-worker.ts";

export function importRoutes(
  app: App,
  deps: UngatedDeps,
  writeWorker: WriteWorker | undefined,
): void {
  bindHeavyWrite(app, deps, writeWorker, contract, importIssues);
}
