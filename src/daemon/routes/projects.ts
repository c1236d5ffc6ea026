import * as actions from "../../contract/project-actions.ts";
import * as contract from "../../contract/projects.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
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
import { bindBulk } from "../bulk/bind-bulk.ts";
import type { Bulk } from "../bulk/bulk.ts";

export function projectRoutes(
  app: App,
  deps: UngatedDeps,
  { aside, bulk }: { readonly aside: Aside | undefined; readonly bulk: Bulk | undefined },
): void {
  bindAside(app, deps, aside, contract.listProjects, listProjects);
  bind(app, deps, contract.initProject, initProject);
  bind(app, deps, contract.resolveProject, resolveProject);
  bind(app, deps, contract.showProject, showProject);
  bindBulk(app, deps, bulk, contract.renameProject, renameProject);
  bindBulk(app, deps, bulk, actions.removeProject, removeProject);
  bindBulk(app, deps, bulk, actions.restoreProject, restoreProject);
  bindBulk(app, deps, bulk, actions.mergeProject, mergeProject);
  bindBulk(app, deps, bulk, actions.purgeProject, purgeProject);
  bindBulk(app, deps, bulk, actions.rewriteAuthorIdentity, rewriteAuthorIdentity);
  bind(app, deps, actions.patchProjectMetadata, patchProjectMetadata, {
    headers: ({ project }) => ({ etag: revisionTag(project.revision) }),
  });
  bind(app, deps, actions.detachProjectAlias, detachProjectAlias);
}
