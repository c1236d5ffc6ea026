import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, refArg, textFlag } from "../../src/cli/flags/flags.ts";
import { resolveExternalComment } from "../../src/contract/bridges.ts";

export default class BridgeResolveComment extends SvcCommand {
  static override summary = "decide about a comment of which it is unknown whether it arrived";
  static override description =
    "Exactly one of --adopt, --retry and --skip. --retry sends it again under the same id, by which the connector recognises it; --adopt says which comment there it is; --skip never sends it.";
  static override args = { ref: refArg() };
  static override flags = {
    adopt: textFlag("it is this comment there", "<id>", { exclusive: ["retry", "skip"] }),
    retry: booleanFlag("send it again", { exclusive: ["adopt", "skip"] }),
    skip: booleanFlag("never send it", { exclusive: ["adopt", "retry"] }),
  };
  static override examples = examples({
    "Send it again": "svc bridge resolve-comment abc4 --retry",
    "It is there already": "svc bridge resolve-comment abc4 --adopt 4711",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BridgeResolveComment);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const { adopt, retry, skip } = flags;
    if (adopt === undefined && !retry && !skip)
      throw usage("nothing was decided", "give one of --adopt <id>, --retry and --skip");
    const action = adopt === undefined ? (retry ? "retry" : "skip") : "adopt";
    const done = await this.call(resolveExternalComment, {
      params: await this.targetAnywhere(args.ref),
      body: {
        ...{ action, actor: await this.actor() },
        ...(adopt === undefined ? {} : { external_comment_id: adopt }),
      },
    });
    await this.print(done, "bridges", ({ bridgeView }) => bridgeView);
  }
}
