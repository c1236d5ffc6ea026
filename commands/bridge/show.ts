import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, refArg } from "../../src/cli/flags/flags.ts";
import { getExternalRootBridge } from "../../src/contract/bridges.ts";

export default class BridgeShow extends SvcCommand {
  static override summary = "show the bridge of an issue to a record of another tracker";
  static override args = { ref: refArg() };
  static override examples = examples({
    "How does it stand?": "svc bridge show abc4",
    "For a script": "svc bridge show abc4 --json | jq .enabled",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(BridgeShow);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(getExternalRootBridge, {
      params: await this.targetAnywhere(args.ref),
    });
    await this.print(done, "bridges", ({ bridgeView }) => bridgeView);
  }
}
