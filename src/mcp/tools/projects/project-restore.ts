import { z } from "zod";
import { restoreProject } from "../../../contract/project-actions.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { namedProject } from "./find-project.ts";
import { ProjectChange, projectChanged } from "./project-output.ts";

export const projectRestore = tool({
  name: "svc.project_restore",
  title: "Restore project",
  description: "Brings an archived project back. Needs a server with --all-projects.",
  annotations: { ...CHANGES, destructiveHint: false },
  input: z.strictObject({ project: inputs.project }),
  output: ProjectChange,
  async run({ project: name }, context) {
    const { scope, call, actor } = context;
    scope.requireAll("svc.project_restore");
    const { id } = await namedProject(name, true, context);
    const request = { params: { project_id: id }, query: { actor } };
    const { project, event, changed } = await call(restoreProject, request);
    return projectChanged(project, changed, event);
  },
});
