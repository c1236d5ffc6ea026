import { SvcCommand } from "../src/cli/base.ts";
import { commentFlag, examples, fenceFlag, refArg, textFlag } from "../src/cli/flags.ts";
import { unassignIssue } from "../src/contract/actions.ts";

export default class Unassign extends SvcCommand {
  static override summary = "clear the owner of an issue";
  static override args = { ref: refArg() };
  static override flags = {
    "expect-owner": textFlag("refuse if somebody else owns it", "<owner>"),
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Back to the pile": "svc unassign abc4",
    "Only if it is still ann's": "svc unassign abc4 --expect-owner ann",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Unassign);
    const params = await this.target(args.ref);
    const body = { expected_owner: flags["expect-owner"], actor: await this.actor() };
    const freed = await this.call(unassignIssue, { params, body });
    await this.print(freed, "changes", ({ unassignView }) => unassignView);
    await this.alsoComment(params, flags.comment);
  }
}
