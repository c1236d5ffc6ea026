import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { arg, commentFlag, examples, fenceFlag, refArg } from "../src/cli/flags/flags.ts";
import { assignIssue } from "../src/contract/actions.ts";

export default class Assign extends SvcCommand {
  static override summary = "set the owner of an issue";
  static override description =
    "Replaces the current owner. To take an issue yourself use svc claim.";
  static override args = { ref: refArg(), owner: arg("who is to do it; @me or me for you") };
  static override flags = { ...commentFlag, ...fenceFlag };
  static override examples = examples({
    "Ann does it": "svc assign abc4 ann",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Assign);
    const params = await this.target(args.ref);
    const actor = await this.actor();
    const body = { owner: await this.nameMeant(args.owner), actor };
    const assigned = await this.call(assignIssue, { params, body });
    await this.print(assigned, "changes", ({ assignView }) => assignView);
    await this.alsoComment(params, flags.comment);
  }
}
