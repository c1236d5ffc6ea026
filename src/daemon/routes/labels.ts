import * as contract from "../../contract/labels.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { addLabel } from "../../ops/labels/add.ts";
import { removeLabel } from "../../ops/labels/remove.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function labelRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.addLabel, addLabel);
  bind(app, deps, contract.removeLabel, removeLabel);
}
