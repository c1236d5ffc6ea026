import { z } from "zod";
import { listProjects, showProject } from "../../../contract/projects.ts";
import { roomFor } from "../../budget.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { cut } from "../../objects.ts";
import { pageOf } from "../../paging.ts";
import { READS, type ToolContext, tool } from "../../tool.ts";
import { ProjectSummary, projectOf } from "./project-output.ts";

export const projects = tool({
  name: "svc.projects",
  title: "List projects",
  description: "The projects of this server by name. One page; pass next_cursor for more.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.onlyProject,
    include_archived: z
      .boolean()
      .optional()
      .describe("archived ones too; needs a server with --all-projects"),
    limit: inputs.limit,
    cursor: inputs.cursorOf(256),
  }),
  output: z.strictObject({
    projects: z.array(ProjectSummary),
    ...cut,
  }),
  async run({ project: name, include_archived, limit, cursor = "" }, context) {
    if (include_archived) context.scope.requireAll("include_archived");
    const all = await rowsOf(name, include_archived === true, context);
    const rest = all.filter((row) => row.name > cursor).sort((a, b) => (a.name < b.name ? -1 : 1));
    const page = pageOf(rest.map(projectOf), roomFor(limit), (row) => row.name);
    return { projects: [...page.rows], ...page.cut };
  },
});

async function rowsOf(name: string | undefined, isWhole: boolean, { scope, call }: ToolContext) {
  if (scope.isBound) {
    const { id } = await scope.project(name);
    return [(await call(showProject, { params: { project_id: id } })).project];
  }
  const include = isWhole ? { query: { include: "archived" } } : {};
  const all = (await call(listProjects, include)).projects;
  const members = new Set((await scope.projects()).map(({ id }) => id));
  const inReach = isWhole ? all : all.filter(({ id }) => members.has(id));
  if (name === undefined) return inReach;
  const found = inReach.filter((project) => project.name === name);
  if (found.length === 0)
    throw new ToolError(`project ${JSON.stringify(name)} is outside this server's scope`);
  return found;
}
