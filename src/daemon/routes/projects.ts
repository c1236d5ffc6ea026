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
import { bind } from "../bind.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";
import { bindHeavyWrite } from "../write-worker/bind-heavy-write.ts";
import type { WriteWorker } from "../write-worker/write-worker.ts";

export function projectRoutes(
  app: App,
  deps: UngatedDeps,
  {
    readWorker,
    writeWorker,
  }: { readonly readWorker: ReadWorker | undefined; readonly writeWorker: WriteWorker | undefined },
): void {
  bindHeavyRead(app, deps, readWorker, contract.listProjects, listProjects);
  bind(app, deps, contract.initProject, initProject);
  bind(app, deps, contract.resolveProject, resolveProject);
  bind(app, deps, contract.showProject, showProject);
  bindHeavyWrite(app, deps, writeWorker, contract.renameProject, renameProject);
  bindHeavyWrite(app, deps, writeWorker, actions.removeProject, removeProject);
  bindHeavyWrite(app, deps, writeWorker, actions.restoreProject, restoreProject);
  bindHeavyWrite(app, deps, writeWorker, actions.mergeProject, mergeProject);
  bindHeavyWrite(app, deps, writeWorker, actions.purgeProject, purgeProject);
  bindHeavyWrite(app, deps, writeWorker, actions.rewriteAuthorIdentity, rewriteAuthorIdentity);
  bind(app, deps, actions.patchProjectMetadata, patchProjectMetadata, {
    headers: ({ project }) => ({ etag: revisionTag(project.revision) }),
  });
  bind(app, deps, actions.detachProjectAlias, detachProjectAlias);
}
