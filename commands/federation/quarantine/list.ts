import { LimitedCommand } from "../../../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../../../src/cli/flags/budget.ts";
import { booleanFlag, examples } from "../../../src/cli/flags/flags.ts";
import { listFederationQuarantine } from "../../../src/contract/federation-quarantine.ts";

export default class FederationQuarantineList extends LimitedCommand {
  static override summary = "list the batches of changes that the hub of a copy refused";
  static override description =
    "A batch that waits for a decision keeps the copy from sending and reading: svc federation quarantine show names its events, retry sends it again, skip gives it up. With --resolved the list has the last hundred batches, decided ones included.";
  static override flags = {
    resolved: booleanFlag("those too about which somebody has decided"),
    ...maxBytesFlag,
  };
  static override examples = examples({
    "What waits for a decision": "svc federation quarantine list",
    "What was decided before": "svc federation quarantine list --resolved --project web",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(FederationQuarantineList);
    this.boundHere(flags);
    const params = { project_id: await this.projectId() };
    const query = flags.resolved ? { include: "resolved", limit: 100 } : {};
    const found = await this.call(listFederationQuarantine, { params, query });
    await this.print(found, "quarantine", ({ quarantineListView }) => quarantineListView);
  }
}
