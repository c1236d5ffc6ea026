import { IssuesCommand } from "../../src/cli/bases/issues-command.ts";
import { arg, commentFlag, examples, fenceFlag, refsArg } from "../../src/cli/flags/flags.ts";
import { removeLabel } from "../../src/contract/labels.ts";

export default class LabelRm extends IssuesCommand {
  static override summary = "take a label off issues";
  static override args = { ref: refsArg(), label: arg("the label") };
  static override flags = { ...commentFlag, ...fenceFlag };
  static override examples = examples({
    "It is no bug after all": "svc label rm abc4 bug",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LabelRm);
    const { label } = args;
    const query = { actor: await this.actor() };
    await this.each([args.ref].flat(), {
      act: async (params) => await this.call(removeLabel, { params: { ...params, label }, query }),
      file: "changes",
      choose: ({ labelView }) => labelView(label, "removed"),
      comment: flags.comment,
    });
  }
}
