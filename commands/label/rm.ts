import { SvcCommand } from "../../src/cli/base.ts";
import { arg, commentFlag, examples, fenceFlag, refArg } from "../../src/cli/flags.ts";
import { removeLabel } from "../../src/contract/labels.ts";

export default class LabelRm extends SvcCommand {
  static override summary = "take a label off an issue";
  static override args = { ref: refArg(), label: arg("the label") };
  static override flags = { ...commentFlag, ...fenceFlag };
  static override examples = examples({
    "It is no bug after all": "svc label rm abc4 bug",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LabelRm);
    const params = await this.target(args.ref);
    const unlabeled = await this.call(removeLabel, {
      params: { ...params, label: args.label },
      query: { actor: await this.actor() },
    });
    await this.print(unlabeled, "changes", ({ labelView }) => labelView(args.label, "removed"));
    await this.alsoComment(params, flags.comment);
  }
}
