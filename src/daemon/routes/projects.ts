import * as actions from "../../contract/project-actions.ts";
import * as contract from "../../contract/projects.ts";
import type { Deps } from "../../ops/deps.ts";
import { revisionTag } from "../../ops/guards.ts";
import { detachProjectAlias } from "../../ops/projects/detach-alias.ts";
import { initProject } from "../../ops/projects/init.ts";
import { listProjects } from "../../ops/projects/list.ts";
import { mergeProject } from "../../ops/projects/merge.ts";
import { patchProjectMetadata } from "../../ops/projects/patch-metadata.ts";
import { purgeProject } from "../../ops/projects/purge.ts";
import { removeProject } from "../../ops/projects/remove.ts";
import { renameProject } from "../../ops/projects/rename.ts";
import { resolveProject } from "../../ops/projects/resolve.ts";
import { restoreProject } from "../../ops/projects/restore.ts";
import { rewriteAuthorIdentity } from "../../ops/projects/rewrite-author.ts";
import { showProject } from "../../ops/projects/show.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";
import { bind } from "../bind.ts";

export function projectRoutes(app: App, deps: Deps, aside: Aside | undefined): void {
  bindAside(app, deps, aside, contract.listProjects, listProjects);
  bind(app, deps, contract.initProject, initProject);
  bind(app, deps, contract.resolveProject, resolveProject);
  bind(app, deps, contract.showProject, showProject);
  bind(app, deps, contract.renameProject, renameProject);
  bind(app, deps, actions.removeProject, removeProject);
  bind(app, deps, actions.restoreProject, restoreProject);
  bind(app, deps, actions.mergeProject, mergeProject);
  bind(app, deps, actions.purgeProject, purgeProject);
  bind(app, deps, actions.rewriteAuthorIdentity, rewriteAuthorIdentity);
  bind(app, deps, actions.patchProjectMetadata, patchProjectMetadata, {
    headers: ({ project }) => ({ etag: revisionTag(project.revision) }),
  });
  bind(app, deps, actions.detachProjectAlias, detachProjectAlias);
}
