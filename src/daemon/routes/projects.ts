import * as contract from "../../contract/projects.ts";
import type { Deps } from "../../ops/deps.ts";
import { initProject } from "../../ops/projects/init.ts";
import { listProjects } from "../../ops/projects/list.ts";
import { renameProject } from "../../ops/projects/rename.ts";
import { resolveProject } from "../../ops/projects/resolve.ts";
import { showProject } from "../../ops/projects/show.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function projectRoutes(app: App, deps: Deps): void {
  bind(app, deps, contract.listProjects, listProjects);
  bind(app, deps, contract.initProject, initProject);
  bind(app, deps, contract.resolveProject, resolveProject);
  bind(app, deps, contract.showProject, showProject);
  bind(app, deps, contract.renameProject, renameProject);
}
