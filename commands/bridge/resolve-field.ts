import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { sideFlag, svcFieldArg } from "../../src/cli/flags/bridge-flags.ts";
import { examples, refArg } from "../../src/cli/flags/flags.ts";
import { resolveExternalField } from "../../src/contract/bridges.ts";

export default class BridgeResolveField extends SvcCommand {
  static override summary = "decide which of two dates in conflict holds";
  static override args = { ref: refArg(), field: svcFieldArg() };
  static override flags = {
    use: sideFlag(),
  };
  static override examples = examples({
    "The date here holds": "svc bridge resolve-field abc4 deadline_on --use local",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BridgeResolveField);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(resolveExternalField, {
      params: await this.target(args.ref),
      body: { field: args.field, use: flags.use, actor: await this.actor() },
    });
    await this.print(done, "bridges", ({ bridgeView }) => bridgeView);
  }
}
