import { z } from "zod";
import { removeProject } from "../../../contract/project-actions.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { namedProject } from "./find-project.ts";
import { ProjectChange, projectChanged } from "./project-output.ts";

export const projectRemove = tool({
  name: "svc.project_remove",
  title: "Archive project",
  description:
    "Archives a project; svc.project_restore brings it back. Needs a server with --all-projects.",
  annotations: CHANGES,
  input: z.strictObject({
    project: inputs.project,
    force: z.boolean().optional().describe("even with open issues"),
  }),
  output: ProjectChange,
  async run({ project: name, force }, context) {
    const { scope, call, actor } = context;
    scope.requireAll("svc.project_remove");
    const { id } = await namedProject(name, false, context);
    const query = { actor, force };
    const { project, event } = await call(removeProject, { params: { project_id: id }, query });
    return projectChanged(project, true, event);
  },
});
