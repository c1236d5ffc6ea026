import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { examples, fenceFlag, refArg } from "../src/cli/flags/flags.ts";
import { restoreIssue } from "../src/contract/removal.ts";

export default class Restore extends SvcCommand {
  static override summary = "restore a deleted issue as it was";
  static override args = { ref: refArg() };
  static override flags = fenceFlag;
  static override examples = examples({
    "It was deleted by mistake": "svc restore abc4",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(Restore);
    const params = await this.target(args.ref);
    const body = { actor: await this.actor() };
    const restored = await this.call(restoreIssue, { params, body });
    await this.print(restored, "removal", ({ restoreView }) => restoreView);
  }
}
