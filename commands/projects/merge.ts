import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples, textFlag } from "../../src/cli/flags/flags.ts";
import { writeWorkspaceFile } from "../../src/config/workspace.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";

export default class ProjectsMerge extends SvcCommand {
  static override summary = "merge a project into another; the first no longer exists afterwards";
  static override description =
    "Issues, repositories and history become the target's. If both have an issue with the same short id, the target's keeps it and the other's gets a longer one; those are listed. The .svc.toml of this directory is brought up to date when it names the source.";
  static override args = {
    source: arg("the project that is merged into the other: its name, id, or repository"),
    target: arg("the project that stays"),
  };
  static override flags = {
    "rename-target": textFlag("rename the target to this", "<name>"),
  };
  static override examples = examples({
    "Two that belong together": "svc projects merge web-old web",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProjectsMerge);
    const session = await this.session();
    const [source, target] = [
      await this.selectProject(args.source),
      await this.selectProject(args.target),
    ];
    const merged = await this.call(mergeProject, {
      params: { project_id: target.id },
      body: {
        source_project_id: source.id,
        target_name: flags["rename-target"],
        actor: await this.actor(),
      },
    });
    const { name } = merged.body().target;
    const { file } = (await session.client()).workspace;
    const named = file !== undefined && [source.name, target.name].includes(file.project ?? "");
    if (named && file.project !== name) writeWorkspaceFile(file.root, name);
    await this.print(merged, "project-actions", ({ mergedView }) => mergedView);
  }
}
