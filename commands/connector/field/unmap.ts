import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { svcFieldArg } from "../../../src/cli/flags/bridge-flags.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { unmapConnectorField } from "../../../src/contract/bridges.ts";

export default class ConnectorFieldUnmap extends SvcCommand {
  static override summary = "stop keeping a date equal to a field there";
  static override args = {
    instance: arg("the id of a [[connector]] in the daemon's config.toml"),
    field: svcFieldArg(),
  };
  static override examples = examples({
    "Deadlines are kept here only": "svc connector field unmap files deadline_on",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(ConnectorFieldUnmap);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(unmapConnectorField, {
      params: { instance: args.instance, svc_field: args.field },
    });
    await this.print(done, "bridges", ({ mappingView }) => mappingView);
  }
}
