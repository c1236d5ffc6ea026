import { SvcCommand } from "../src/cli/base.ts";
import { commentFlag, examples, fenceFlag, refArg } from "../src/cli/flags.ts";
import { reopenIssue } from "../src/contract/actions.ts";

export default class Reopen extends SvcCommand {
  static override summary = "reopen a closed issue";
  static override args = { ref: refArg() };
  static override flags = { ...commentFlag, ...fenceFlag };
  static override examples = examples({
    "It was not done after all, and say why":
      'svc reopen abc4 --comment "still crashes on Windows line ends"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Reopen);
    const params = await this.target(args.ref);
    const reopened = await this.call(reopenIssue, { params, body: { actor: await this.actor() } });
    await this.print(reopened, "changes", ({ reopenView }) => reopenView);
    await this.alsoComment(params, flags.comment);
  }
}
