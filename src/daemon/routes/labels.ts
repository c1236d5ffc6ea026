import * as contract from "../../contract/labels.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { addLabel } from "../../ops/labels/add.ts";
import { listLabels } from "../../ops/labels/list.ts";
import { removeLabel } from "../../ops/labels/remove.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";
import { bind } from "../bind.ts";

export function labelRoutes(app: App, deps: UngatedDeps, aside: Aside | undefined): void {
  bind(app, deps, contract.addLabel, addLabel);
  bind(app, deps, contract.removeLabel, removeLabel);
  bindAside(app, deps, aside, contract.listLabels, listLabels);
}
