import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import {
  detachProjectAlias,
  patchProjectMetadata,
  rewriteAuthorIdentity,
} from "../../../contract/project-actions.ts";
import { renameProject, showProject } from "../../../contract/projects.ts";
import { ifMatch } from "../../../shared/revision.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { namedProject } from "./find-project.ts";
import { ProjectChange, projectChanged } from "./project-output.ts";

const input = z.strictObject({
  project: inputs.project,
  action: z
    .enum(["rename", "metadata", "rewrite_author", "detach_alias"])
    .describe("what to change"),
  name: inputs.project.optional().describe("rename: the new name"),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("metadata: keys to set, null removes a key"),
  revision: inputs.revision.describe("metadata: refuse unless this is the revision"),
  from: inputs.actor.optional().describe("rewrite_author: the name to replace"),
  to: inputs.actor.optional().describe("rewrite_author: the new name"),
  alias_id: z.int().min(1).optional().describe("detach_alias: id of the repository's entry"),
  force: z.boolean().optional().describe("detach_alias: even the last one"),
});

type Input = z.output<typeof input>;
type Action = Input["action"];

/** The arguments that each action needs, and those that it accepts in addition. */
const MEMBERS: Readonly<
  Record<Action, { readonly needs: readonly Name[]; readonly may: readonly Name[] }>
> = {
  rename: { needs: ["name"], may: [] },
  metadata: { needs: ["metadata"], may: ["revision"] },
  rewrite_author: { needs: ["from", "to"], may: [] },
  detach_alias: { needs: ["alias_id"], may: ["force"] },
};

type Name = Exclude<keyof Input, "project" | "action">;

export const projectUpdate = tool({
  name: "svc.project_update",
  title: "Change project",
  description:
    "Renames a project, changes its metadata, replaces an author's name in it, or detaches a repository. Needs a server with --all-projects.",
  annotations: CHANGES,
  input,
  output: ProjectChange.extend({
    details: z
      .strictObject({
        total: z.int(),
        issue_authors: z.int(),
        issue_owners: z.int(),
        comment_authors: z.int(),
        link_authors: z.int(),
      })
      .optional(),
  }),
  async run(input, context) {
    context.scope.requireAll("svc.project_update");
    requireMembers(input);
    const { id } = await namedProject(input.project, false, context);
    return await UPDATES[input.action](id, input, context);
  },
});

function requireMembers(input: Input): void {
  const { needs, may } = MEMBERS[input.action];
  const missing = needs.find((name) => input[name] === undefined);
  if (missing !== undefined)
    throw new ToolError(`invalid arguments: ${missing}: ${input.action} needs it`);
  const { project: _project, action: _action, ...rest } = input;
  const other = Object.keys(rest).find((name) => ![...needs, ...may].includes(name as Name));
  if (other !== undefined)
    throw new ToolError(`invalid arguments: ${other}: ${input.action} takes none`);
}

type Update = (
  project_id: number,
  input: Input,
  context: ToolContext,
) => Promise<ReturnType<typeof projectChanged>>;

const UPDATES: Readonly<Record<Action, Update>> = {
  rename: async (project_id, { name = "", project: before }, { call, actor }) => {
    const body = { name, actor };
    const { project } = await call(renameProject, { params: { project_id }, body });
    return projectChanged(project, project.name !== before, undefined);
  },
  metadata: async (project_id, { metadata = {}, revision }, { call, actor }) => {
    const { project, changed, event } = await call(patchProjectMetadata, {
      params: { project_id },
      headers: ifMatch(revision),
      body: { patch: metadata as JsonObject, actor },
    });
    return projectChanged(project, changed, event);
  },
  rewrite_author: async (project_id, { from = "", to = "" }, { call, actor }) => {
    const params = { project_id };
    const answer = await call(rewriteAuthorIdentity, { params, body: { from, to, actor } });
    const { changed, event, total, issue_authors, issue_owners } = answer;
    const { comment_authors, link_authors } = answer;
    const { project } = await call(showProject, { params });
    const details = { total, issue_authors, issue_owners, comment_authors, link_authors };
    return { ...projectChanged(project, changed, event), details };
  },
  detach_alias: async (project_id, { alias_id = 0, force }, { call, actor }) => {
    const params = { project_id, alias_id };
    const { event } = await call(detachProjectAlias, { params, query: { actor, force } });
    const { project } = await call(showProject, { params: { project_id } });
    return projectChanged(project, true, event);
  },
};
