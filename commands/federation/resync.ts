import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, optionalArg } from "../../src/cli/flags/flags.ts";
import { resyncFederationReplica } from "../../src/contract/federation-replicas.ts";

export default class FederationResync extends SvcCommand {
  static override summary = "read a copy of a hub's project anew, and enable it again";
  static override description =
    "Asks the hub, clears the copy and reads it again from the baseline on. A copy that was disabled with federation_replica_stale, since another copy of this database had read in its place, goes on, and that other one is disabled. The hub has to accept the token that is stored here.";
  static override args = { project: optionalArg("name or id of the project") };
  static override examples = examples({
    "The copy on this machine is the one that stays": "svc federation resync web",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(FederationResync);
    const { id: project_id } = await this.selectProject(args.project);
    const begun = await this.call(resyncFederationReplica, { params: { project_id } });
    await this.print(begun, "replicas", ({ resyncedView }) => resyncedView);
  }
}
