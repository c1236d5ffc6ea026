import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples } from "../../src/cli/flags/flags.ts";
import { writeWorkspaceFile } from "../../src/config/workspace.ts";
import { renameProject } from "../../src/contract/projects.ts";

export default class ProjectsRename extends SvcCommand {
  static override summary = "rename a project";
  static override description =
    "The ids of its issues keep their short part; only the name in front of the # changes. The .svc.toml of this directory is brought up to date when it names the project.";
  static override args = {
    project: arg("its name, id, or repository"),
    name: arg("the new name"),
  };
  static override examples = examples({
    "A better name": "svc projects rename website shop",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(ProjectsRename);
    const session = await this.session();
    const { id, name: before } = await this.selectProject(args.project);
    const body = { name: args.name, actor: await this.actor() };
    const renamed = await this.call(renameProject, { params: { project_id: id }, body });
    const { name } = renamed.body().project;
    const { file } = (await session.client()).workspace;
    if (file !== undefined && file.project === before && name !== before)
      writeWorkspaceFile(file.root, name);
    await this.print(renamed, "projects", ({ renamedView }) => renamedView(name !== before));
  }
}
