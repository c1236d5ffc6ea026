import { IssuesCommand } from "../../src/cli/bases/issues-command.ts";
import { arg, commentFlag, examples, fenceFlag, refsArg } from "../../src/cli/flags/flags.ts";
import { addLabel } from "../../src/contract/labels.ts";

export default class LabelAdd extends IssuesCommand {
  static override summary = "put a label on issues";
  static override args = { ref: refsArg(), label: arg("up to 64 of a-z 0-9 . _ : -") };
  static override flags = { ...commentFlag, ...fenceFlag };
  static override examples = examples({
    "It is a bug": "svc label add abc4 bug",
    "All three are": "svc label add abc4 def5 ghj6 bug",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LabelAdd);
    const body = { label: args.label, actor: await this.actor() };
    await this.each([args.ref].flat(), {
      act: async (params) => await this.call(addLabel, { params, body }),
      file: "changes",
      choose: ({ labelView }) => labelView(args.label, "added"),
      comment: flags.comment,
    });
  }
}
