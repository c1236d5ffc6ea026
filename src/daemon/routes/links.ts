import * as contract from "../../contract/links.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { createLink } from "../../ops/links/create.ts";
import { deleteLink } from "../../ops/links/delete.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function linkRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.createLink, createLink);
  bind(app, deps, contract.deleteLink, deleteLink);
}
