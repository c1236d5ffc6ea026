import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples } from "../../src/cli/flags/flags.ts";
import { getConnectorStatus } from "../../src/contract/connectors.ts";

export default class ConnectorStatus extends SvcCommand {
  static override summary = "say how a connector to another tracker answers";
  static override description =
    "Starts the program of the connector once. A connector that fails is shown with one of four fixed texts and its error code; what it wrote itself is shown by svc connector test only.";
  static override args = {
    instance: arg("the id of a [[connector]] in the daemon's config.toml"),
  };
  static override examples = examples({
    "Does it answer?": "svc connector status files",
    "For a script": "svc connector status files --json | jq .healthy",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(ConnectorStatus);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const found = await this.call(getConnectorStatus, { params: { instance: args.instance } });
    await this.print(found, "connectors", ({ connectorView }) => connectorView);
  }
}
