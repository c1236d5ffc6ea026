import { z } from "zod";
import { initProject } from "../../../contract/projects.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { ProjectChange, projectChanged } from "./project-output.ts";

export const projectCreate = tool({
  name: "svc.project_create",
  title: "Create project",
  description:
    "Creates a project, or finds the one of that name. Needs a server with --all-projects.",
  annotations: { ...CHANGES, destructiveHint: false },
  input: z.strictObject({ name: inputs.project }),
  output: ProjectChange,
  async run({ name }, { scope, call, actor }) {
    scope.requireAll("svc.project_create");
    const { project, created } = await call(initProject, { body: { name, actor } });
    return projectChanged(project, created, undefined);
  },
});
