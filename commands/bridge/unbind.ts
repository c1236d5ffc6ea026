import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, refArg } from "../../src/cli/flags/flags.ts";
import { unbindExternalRoot } from "../../src/contract/bridges.ts";

export default class BridgeUnbind extends SvcCommand {
  static override summary = "end the bridge of an issue; its words and comments stay";
  static override description = "The record can be bound to this issue again, but to no other one.";
  static override args = { ref: refArg() };
  static override examples = examples({
    "The issue lives here from now on": "svc bridge unbind abc4",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(BridgeUnbind);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(unbindExternalRoot, {
      params: await this.targetAnywhere(args.ref),
      query: { actor: await this.actor() },
    });
    await this.print(done, "bridges", ({ bridgeView }) => bridgeView);
  }
}
