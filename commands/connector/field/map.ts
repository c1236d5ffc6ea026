import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { svcFieldArg } from "../../../src/cli/flags/bridge-flags.ts";
import { arg, examples, requiredFlag } from "../../../src/cli/flags/flags.ts";
import { mapConnectorField } from "../../../src/contract/bridges.ts";

export default class ConnectorFieldMap extends SvcCommand {
  static override summary = "keep a date of all bound issues equal to a field there";
  static override description =
    "For all issues that are bound by this connector, also later ones. Another mapping of the date replaces it.";
  static override args = {
    instance: arg("the id of a [[connector]] in the daemon's config.toml"),
    field: svcFieldArg(),
  };
  static override flags = {
    external: requiredFlag("id of the field there, or its name", "<field>"),
  };
  static override examples = examples({
    Deadlines: "svc connector field map files deadline_on --external due",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConnectorFieldMap);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(mapConnectorField, {
      params: { instance: args.instance, svc_field: args.field },
      body: { external_field: flags.external },
    });
    await this.print(done, "bridges", ({ mappingView }) => mappingView);
  }
}
