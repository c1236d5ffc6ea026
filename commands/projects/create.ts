import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples } from "../../src/cli/flags/flags.ts";
import { initProject } from "../../src/contract/projects.ts";

export default class ProjectsCreate extends SvcCommand {
  static override summary = "create a project without binding it to a directory";
  static override description =
    "Use it with --project, or tie a directory to it later with svc init --project. A project that exists already is left as it is.";
  static override args = { name: arg("the name; anything without #") };
  static override examples = examples({
    "A project for errands": "svc projects create errands",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(ProjectsCreate);
    const body = { name: args.name, actor: await this.actor() };
    const created = await this.call(initProject, { body });
    await this.print(created, "projects", ({ createdProjectView }) => createdProjectView);
  }
}
