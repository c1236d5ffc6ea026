import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, refArg } from "../../src/cli/flags/flags.ts";
import { reconcileExternalRootBridge } from "../../src/contract/bridges.ts";

export default class BridgeReconcile extends SvcCommand {
  static override summary = "make an issue and its record elsewhere alike now";
  static override description =
    "Runs at once, also if the next attempt is not yet due, and answers when it is done.";
  static override args = { ref: refArg() };
  static override examples = examples({
    "It was changed there just now": "svc bridge reconcile abc4",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(BridgeReconcile);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(reconcileExternalRootBridge, {
      params: await this.target(args.ref),
      body: { actor: await this.actor() },
    });
    await this.print(done, "bridges", ({ bridgeRunView }) => bridgeRunView);
  }
}
