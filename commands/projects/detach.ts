import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { call } from "../../src/client/call.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { detachProjectAlias } from "../../src/contract/project-actions.ts";
import { showProject } from "../../src/contract/projects.ts";

export default class ProjectsDetach extends SvcCommand {
  static override summary = "remove a repository or folder from its project";
  static override args = {
    alias: arg("the repository or folder, as svc projects show prints it, or its last part"),
  };
  static override flags = {
    force: booleanFlag("remove it even if the project has no other"),
  };
  static override examples = examples({
    "The repository was given up": "svc projects detach github.com/ann/website",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProjectsDetach);
    const session = await this.session();
    const { id } = await this.selectProject(args.alias);
    const client = await session.client();
    const { aliases } = await call(client, showProject, { params: { project_id: id } });
    const alias = aliases.find(({ alias_identity: known }) => {
      return (
        known === args.alias || known.endsWith(`/${args.alias}`) || known.endsWith(`:${args.alias}`)
      );
    });
    if (alias === undefined) throw new SvcError("alias_not_found", { alias: args.alias });
    const detached = await this.call(detachProjectAlias, {
      params: { project_id: id, alias_id: alias.id },
      query: { actor: await this.actor(), ...(flags.force === true ? { force: true } : {}) },
    });
    await this.print(detached, "project-actions", ({ detachedView }) => detachedView);
  }
}
