import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, refArg, textFlag } from "../../src/cli/flags/flags.ts";
import { pauseExternalRootBridge } from "../../src/contract/bridges.ts";

export default class BridgePause extends SvcCommand {
  static override summary = "stop reconciling an issue; the record still owns its words";
  static override args = { ref: refArg() };
  static override flags = {
    reason: textFlag("why, in words", "<text>"),
  };
  static override examples = examples({
    "The other tracker is moving": 'svc bridge pause abc4 --reason "the tracker moves"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BridgePause);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(pauseExternalRootBridge, {
      params: await this.target(args.ref),
      body: {
        actor: await this.actor(),
        ...(flags.reason === undefined ? {} : { reason: flags.reason }),
      },
    });
    await this.print(done, "bridges", ({ bridgeView }) => bridgeView);
  }
}
