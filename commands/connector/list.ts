import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { listConnectors } from "../../src/contract/connectors.ts";

export default class ConnectorList extends SvcCommand {
  static override summary = "list the connectors to other trackers, and how they answer";
  static override description =
    "Starts the program of each [[connector]] in the daemon's config.toml once and shows whether it answers, for which account, and what it can do. One that fails does not fail the others, and svc waits as long as they take.";
  static override examples = examples({
    "All connectors": "svc connector list",
    "Those that fail":
      "svc connector list --json | jq '.connectors[] | select(.healthy | not) | .instance_id'",
  });

  async run(): Promise<void> {
    await this.parse(ConnectorList);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const found = await this.call(listConnectors, {});
    await this.print(found, "connectors", ({ connectorListView }) => connectorListView);
  }
}
