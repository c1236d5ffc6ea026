import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { removeProject } from "../../src/contract/project-actions.ts";

export default class ProjectsRemove extends SvcCommand {
  static override summary = "archive a project; svc projects restore brings it back";
  static override description =
    "It is hidden with all of its issues, and its name stays reserved. Its repositories and folders are unbound.";
  static override args = { project: arg("its name, id, or repository") };
  static override flags = {
    force: booleanFlag("archive it even if it has open issues"),
  };
  static override examples = examples({
    "It is over": "svc projects remove website",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProjectsRemove);
    const { id } = await this.selectProject(args.project);
    const removed = await this.call(removeProject, {
      params: { project_id: id },
      query: { actor: await this.actor(), ...(flags.force === true ? { force: true } : {}) },
    });
    await this.print(removed, "project-actions", ({ removedView }) => removedView);
  }
}
