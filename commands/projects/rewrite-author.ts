import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, optionalArg, requiredFlag } from "../../src/cli/flags/flags.ts";
import { rewriteAuthorIdentity } from "../../src/contract/project-actions.ts";

export default class ProjectsRewriteAuthor extends SvcCommand {
  static override summary = "replace one actor by another as author and owner in a project";
  static override description =
    "Exact matches only. Authors of issues, comments and links and owners of issues change; events of the past keep the name they were made under.";
  static override args = {
    project: optionalArg("its name, id, or repository; default this directory's project"),
  };
  static override flags = {
    from: requiredFlag("the name as it is written", "<name>"),
    to: requiredFlag("the new name", "<name>"),
  };
  static override examples = examples({
    "A login that became a name": "svc projects rewrite-author website --from ann82 --to ann",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProjectsRewriteAuthor);
    const { id } = await this.selectProject(args.project);
    const rewritten = await this.call(rewriteAuthorIdentity, {
      params: { project_id: id },
      body: { from: flags.from, to: flags.to, actor: await this.actor() },
    });
    await this.print(rewritten, "project-actions", ({ rewrittenView }) => rewrittenView);
  }
}
