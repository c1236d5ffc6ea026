import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, optionalArg } from "../../src/cli/flags/flags.ts";
import { enableProjectFederation } from "../../src/contract/federation.ts";

export default class FederationEnable extends SvcCommand {
  static override summary = "make this daemon the hub of a project, so that others can copy it";
  static override description =
    "Writes a baseline: all that the project holds now, with its comments, but not its history. Daemons that are enrolled read it, and what follows. What they have read cannot be called back: overwrite texts that must not leave with svc comment edit and svc edit, or purge the issue, before you enable. A federated project cannot be merged, purged or given another author's name, and issues cannot be moved to or from it. Repeating it changes nothing.";
  static override args = { project: optionalArg("name or id of the project") };
  static override examples = examples({
    "The project of this folder": "svc federation enable",
    "Another one": "svc federation enable web",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(FederationEnable);
    const { id } = await this.selectProject(args.project);
    const enabled = await this.call(enableProjectFederation, {
      params: { project_id: id },
      body: { actor: await this.actor() },
    });
    await this.print(enabled, "federation", ({ federationEnabledView }) => federationEnabledView);
  }
}
