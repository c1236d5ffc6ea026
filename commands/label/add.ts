import { SvcCommand } from "../../src/cli/base.ts";
import { arg, commentFlag, examples, fenceFlag, refArg } from "../../src/cli/flags.ts";
import { addLabel } from "../../src/contract/labels.ts";

export default class LabelAdd extends SvcCommand {
  static override summary = "put a label on an issue";
  static override args = { ref: refArg(), label: arg("up to 64 of a-z 0-9 . _ : -") };
  static override flags = { ...commentFlag, ...fenceFlag };
  static override examples = examples({
    "It is a bug": "svc label add abc4 bug",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LabelAdd);
    const params = await this.target(args.ref);
    const body = { label: args.label, actor: await this.actor() };
    const labeled = await this.call(addLabel, { params, body });
    await this.print(labeled, "changes", ({ labelView }) => labelView(args.label, "added"));
    await this.alsoComment(params, flags.comment);
  }
}
