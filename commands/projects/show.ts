import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, optionalArg } from "../../src/cli/flags/flags.ts";
import { showProject } from "../../src/contract/projects.ts";

export default class ProjectsShow extends SvcCommand {
  static override summary = "show a project and the repositories that belong to it";
  static override args = {
    project: optionalArg("its name, id, or repository; default this directory's project"),
  };
  static override examples = examples({
    "The project of this directory": "svc projects show",
    "Another one": "svc projects show website",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(ProjectsShow);
    const project = await this.selectProject(args.project);
    const shown = await this.call(showProject, { params: { project_id: project.id } });
    await this.print(shown, "projects", ({ projectView }) => projectView);
  }
}
