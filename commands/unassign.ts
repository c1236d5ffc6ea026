import { IssuesCommand } from "../src/cli/bases/issues-command.ts";
import { commentFlag, examples, fenceFlag, refsArg, textFlag } from "../src/cli/flags/flags.ts";
import { unassignIssue } from "../src/contract/actions.ts";

export default class Unassign extends IssuesCommand {
  static override summary = "clear the owner of issues";
  static override args = { ref: refsArg() };
  static override flags = {
    "expect-owner": textFlag("refuse if somebody else owns it", "<owner>"),
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Back to the pile": "svc unassign abc4",
    "All of them, when you leave": "svc list --owner ann -q | svc unassign -",
    "Only if it is still ann's": "svc unassign abc4 --expect-owner ann",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Unassign);
    const body = { expected_owner: flags["expect-owner"], actor: await this.actor() };
    await this.each([args.ref].flat(), {
      act: async (params) => await this.call(unassignIssue, { params, body }),
      file: "changes",
      choose: ({ unassignView }) => unassignView,
      comment: flags.comment,
    });
  }
}
