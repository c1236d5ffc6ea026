import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples } from "../../src/cli/flags/flags.ts";
import { restoreProject } from "../../src/contract/project-actions.ts";

export default class ProjectsRestore extends SvcCommand {
  static override summary = "restore an archived project";
  static override description =
    "Its issues are as they were. Bind directories to it again with svc init --project.";
  static override args = { project: arg("its name or id") };
  static override examples = examples({
    "It goes on": "svc projects restore website",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(ProjectsRestore);
    const { id } = await this.selectProject(args.project);
    const restored = await this.call(restoreProject, {
      params: { project_id: id },
      query: { actor: await this.actor() },
    });
    await this.print(restored, "project-actions", ({ restoredView }) => restoredView);
  }
}
