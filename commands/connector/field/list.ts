import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { listConnectorFields } from "../../../src/contract/bridges.ts";

export default class ConnectorFieldList extends SvcCommand {
  static override summary = "list the date fields of a connector, and which are mapped";
  static override args = { instance: arg("the id of a [[connector]] in the daemon's config.toml") };
  static override examples = examples({
    "What can be mapped?": "svc connector field list files",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(ConnectorFieldList);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(listConnectorFields, { params: { instance: args.instance } });
    await this.print(done, "bridges", ({ fieldListView }) => fieldListView);
  }
}
