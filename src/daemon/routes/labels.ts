import * as contract from "../../contract/labels.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { addLabel } from "../../ops/labels/add.ts";
import { listLabels } from "../../ops/labels/list.ts";
import { removeLabel } from "../../ops/labels/remove.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

export function labelRoutes(app: App, deps: UngatedDeps, readWorker: ReadWorker | undefined): void {
  bind(app, deps, contract.addLabel, addLabel);
  bind(app, deps, contract.removeLabel, removeLabel);
  bindHeavyRead(app, deps, readWorker, contract.listLabels, listLabels);
}
