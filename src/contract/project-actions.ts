import { z } from "zod";
import { Event, Project, ProjectAlias } from "./objects.ts";
import { erasure, ProjectPurgeLog } from "./purges.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import {
  Actor,
  ActorName,
  Confirm,
  Count,
  IfMatch,
  KnownOwner,
  Metadata,
  ProjectId,
  ProjectName,
  Reason,
} from "./values.ts";

const route = routesOf("projects");

const Force = () => z.boolean().optional();

export const removeProject = route({
  id: "removeProject",
  lengthy: true,
  method: "DELETE",
  path: "/projects/{project_id}",
  access: "write",
  summary: "archive a project; its aliases are dropped and its name stays reserved",
  query: shape(() =>
    z.object({
      actor: Actor(),
      force: Force().describe("archive the project even if it has open issues"),
    }),
  ),
  response: component("RemoveProjectResponse", () =>
    z.looseObject({ project: Project(), event: Event() }),
  ),
  errors: ["project_already_archived", "project_has_open_issues"],
});

export const restoreProject = route({
  id: "restoreProject",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/restore",
  access: "write",
  summary: "restore an archived project, without its aliases",
  query: shape(() => z.object({ actor: Actor() })),
  response: component("RestoreProjectResponse", () =>
    z.looseObject({ project: Project(), event: Event().nullable(), changed: z.boolean() }),
  ),
});

export const mergeProject = route({
  id: "mergeProject",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/merge",
  access: "write",
  summary: "merge another project into this one; the other no longer exists afterwards",
  body: component("MergeProjectRequest", () =>
    z.strictObject({
      source_project_id: ProjectId(),
      target_name: ProjectName().optional().describe("new name of the merged project"),
      actor: Actor(),
    }),
  ),
  response: component("MergeProjectResponse", () =>
    z.looseObject({
      source: Project(),
      target: Project(),
      issues_moved: Count(),
      aliases_moved: Count(),
      events_moved: Count(),
      purge_logs_moved: Count(),
      short_id_extensions: z.array(
        z.looseObject({
          uid: z.string(),
          pre_merge_short_id: z.string(),
          post_merge_short_id: z.string(),
        }),
      ),
      plans_renamed: z
        .array(z.looseObject({ from: z.string(), to: z.string() }))
        .optional()
        .describe(
          "plans of the source that were renamed because the target has a plan of the same name",
        ),
    }),
  ),
  errors: [
    "conflict",
    "project_archived",
    "project_has_issue_sync",
    "project_merge_archived_source",
    "project_merge_archived_target",
    "project_merge_import_mapping_collision",
  ],
});

export const purgeProject = route({
  id: "purgeProject",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/actions/purge",
  access: "write",
  summary: "erase an archived project and its history; X-Svc-Confirm: PURGE <project name>",
  headers: shape(() => z.object({ "x-svc-confirm": Confirm() })),
  body: component("PurgeProjectRequest", () =>
    z.strictObject({ reason: Reason(), actor: Actor() }),
  ),
  response: component("PurgeProjectResponse", () =>
    z.looseObject({ purge_log: ProjectPurgeLog(), ...erasure() }),
  ),
  errors: ["project_not_archived", "confirm_required", "confirm_mismatch"],
});

export const rewriteAuthorIdentity = route({
  id: "rewriteAuthorIdentity",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/actions/rewrite-author",
  access: "write",
  summary: "replace one actor by another as author and owner in a project",
  body: component("RewriteAuthorRequest", () =>
    z.strictObject({
      from: KnownOwner().describe("exactly as the name is written"),
      to: ActorName(),
      actor: Actor(),
    }),
  ),
  response: component("RewriteAuthorResponse", () =>
    z.looseObject({
      changed: z.boolean(),
      issue_authors: Count(),
      issue_owners: Count(),
      comment_authors: Count(),
      link_authors: Count(),
      total: Count(),
      event: Event().nullable(),
    }),
  ),
});

export const patchProjectMetadata = route({
  id: "patchProjectMetadata",
  method: "POST",
  path: "/projects/{project_id}/metadata",
  access: "write",
  local: true,
  summary: "merge a patch into the metadata of a project",
  headers: shape(() => z.object({ "if-match": IfMatch() })),
  body: component("PatchProjectMetadataRequest", () =>
    z.strictObject({ patch: Metadata().describe("null removes a key"), actor: Actor() }),
  ),
  response: component("PatchProjectMetadataResponse", () =>
    z.looseObject({ project: Project(), changed: z.boolean(), event: Event().nullable() }),
  ),
  responseHeaders: { ETag: 'the revision of the project as "rev-N"' },
  errors: ["invalid_metadata_value", "invalid_inbox_designation", "revision_conflict"],
});

export const detachProjectAlias = route({
  id: "detachProjectAlias",
  method: "DELETE",
  path: "/projects/{project_id}/aliases/{alias_id}",
  access: "write",
  summary: "remove a repository or folder from a project",
  params: shape(() => z.object({ project_id: ProjectId(), alias_id: z.int().positive() })),
  query: shape(() =>
    z.object({
      actor: Actor(),
      force: Force().describe("remove the alias even if it is the last one"),
    }),
  ),
  response: component("DetachProjectAliasResponse", () =>
    z.looseObject({ alias: ProjectAlias(), event: Event() }),
  ),
  errors: ["alias_not_found", "alias_is_last"],
});
