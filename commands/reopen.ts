import { IssuesCommand } from "../src/cli/bases/issues-command.ts";
import { commentFlag, examples, fenceFlag, refsArg } from "../src/cli/flags/flags.ts";
import { reopenIssue } from "../src/contract/actions.ts";

export default class Reopen extends IssuesCommand {
  static override summary = "reopen closed issues";
  static override args = { ref: refsArg() };
  static override flags = { ...commentFlag, ...fenceFlag };
  static override examples = examples({
    "It was not done after all, and say why":
      'svc reopen abc4 --comment "still crashes on Windows line ends"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Reopen);
    const body = { actor: await this.actor() };
    await this.each([args.ref].flat(), {
      act: async (params) => await this.call(reopenIssue, { params, body }),
      file: "changes",
      choose: ({ reopenView }) => reopenView,
      comment: flags.comment,
    });
  }
}
