import * as actions from "../../contract/project-actions.ts";
import * as contract from "../../contract/projects.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { revisionTag } from "../../ops/guards.ts";
import { detachProjectAlias } from "../../ops/projects/detach-alias.ts";
import { initProject } from "../../ops/projects/init.ts";
import { patchProjectMetadata } from "../../ops/projects/patch-metadata.ts";
import { resolveProject } from "../../ops/projects/resolve.ts";
import { showProject } from "../../ops/projects/show.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function projectRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.initProject, initProject);
  bind(app, deps, contract.resolveProject, resolveProject);
  bind(app, deps, contract.showProject, showProject);
  bind(app, deps, actions.patchProjectMetadata, patchProjectMetadata, {
    headers: ({ project }) => ({ etag: revisionTag(project.revision) }),
  });
  bind(app, deps, actions.detachProjectAlias, detachProjectAlias);
}
