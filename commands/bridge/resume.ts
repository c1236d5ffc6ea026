import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, refArg } from "../../src/cli/flags/flags.ts";
import { resumeExternalRootBridge } from "../../src/contract/bridges.ts";

export default class BridgeResume extends SvcCommand {
  static override summary = "reconcile a paused issue again";
  static override description =
    "Asks the connector first whether account and record are still those of the bridge; otherwise the bridge stays paused.";
  static override args = { ref: refArg() };
  static override examples = examples({
    "After a pause": "svc bridge resume abc4",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(BridgeResume);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(resumeExternalRootBridge, {
      params: await this.target(args.ref),
      body: { actor: await this.actor() },
    });
    await this.print(done, "bridges", ({ bridgeView }) => bridgeView);
  }
}
