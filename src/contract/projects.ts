import { z } from "zod";
import { Project, ProjectAlias, ProjectAndAliases, ProjectOut } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, IfMatch, ProjectName } from "./values.ts";

const route = routesOf("projects");

/** A repository or folder that identifies a project. `root_path` is where the daemon found it. */
const Alias = component("AliasInput", () =>
  z.strictObject({
    identity: z.string().trim().min(1, "must not be blank"),
    kind: z.enum(["git", "local"]),
    root_path: z.string().optional(),
  }),
);

const StartPath = () =>
  z.string().trim().min(1, "must not be blank").describe("an absolute folder on the daemon's host");

export const listProjects = route({
  id: "listProjects",
  method: "GET",
  path: "/projects",
  access: "read",
  local: true,
  summary: "list projects",
  query: shape(() =>
    z.object({
      include: z
        .string()
        .regex(
          /^(stats|archived)?(,(stats|archived))*$/,
          "must be a comma-separated list of stats and archived",
        )
        .optional()
        .describe("comma-separated list of stats and archived"),
    }),
  ),
  response: component("ListProjectsResponse", () =>
    z.looseObject({ projects: z.array(ProjectOut()) }),
  ),
});

export const initProject = route({
  id: "initProject",
  method: "POST",
  path: "/projects",
  access: "write",
  local: ["name", "actor"],
  summary: "create a project, or bind a workspace to an existing one",
  body: component("InitProjectRequest", () =>
    z.strictObject({
      start_path: StartPath().optional(),
      name: ProjectName()
        .optional()
        .describe("without it, made from the path of alias (API 0.20.0) or start_path"),
      alias: Alias().optional(),
      replace: z.boolean().optional(),
      reassign: z.boolean().optional(),
      actor: Actor(),
    }),
  ),
  response: component("InitProjectResponse", () =>
    z.looseObject({
      project: Project(),
      alias: ProjectAlias().optional(),
      workspace_root: z.string().optional(),
      created: z.boolean(),
      joined_with: z
        .string()
        .optional()
        .describe(
          "present if this request gave a further alias to a project that had one: one of those it had",
        ),
      namesake: z
        .looseObject({ name: z.string(), alias_identity: z.string() })
        .optional()
        .describe(
          "present if no name was given and the project got a longer one: the project of the shorter name, which has another alias and was therefore not joined",
        ),
    }),
  ),
  errors: ["project_binding_conflict", "project_alias_conflict", "project_archived"],
});

export const resolveProject = route({
  id: "resolveProject",
  method: "POST",
  path: "/projects/resolve",
  access: "read",
  local: ["name"],
  summary: "find the project of a workspace",
  body: component("ResolveProjectRequest", () =>
    z.strictObject({
      alias: Alias().optional(),
      name: z.string().optional(),
      start_path: StartPath().optional(),
    }),
  ),
  response: component("ResolveProjectResponse", () =>
    z.looseObject({
      project: Project(),
      alias: ProjectAlias().optional(),
      workspace_root: z.string().optional(),
    }),
  ),
  errors: ["project_not_initialized"],
});

export const showProject = route({
  id: "showProject",
  method: "GET",
  path: "/projects/{project_id}",
  access: "read",
  local: true,
  summary: "show a project, including an archived one",
  response: component("ShowProjectResponse", ProjectAndAliases),
});

export const renameProject = route({
  id: "renameProject",
  lengthy: true,
  method: "PATCH",
  path: "/projects/{project_id}",
  access: "write",
  summary: "rename a project",
  headers: shape(() => z.object({ "if-match": IfMatch() })),
  body: component("RenameProjectRequest", () =>
    z.strictObject({ name: ProjectName(), actor: Actor() }),
  ),
  response: component("RenameProjectResponse", ProjectAndAliases),
  errors: ["conflict", "project_archived", "revision_conflict"],
});
