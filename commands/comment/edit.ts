import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { arg, commentBodyFlags, examples, fenceFlag, refArg } from "../../src/cli/flags/flags.ts";
import { readBody } from "../../src/cli/input/body.ts";
import { editComment } from "../../src/contract/comments.ts";
import { invalid } from "../../src/contract/errors.ts";

export default class CommentEdit extends SvcCommand {
  static override summary = "replace the text of a comment, keeping its author and time";
  static override args = {
    ref: refArg(),
    comment: arg("the comment's uid, as svc show prints it"),
  };
  static override flags = { ...commentBodyFlags, ...fenceFlag };
  static override examples = examples({
    "Correct a comment":
      'svc comment edit abc4 01J8Z0V0T4K3W6R2N9QH7XGDBF -m "it was the last line but one"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CommentEdit);
    const text = readBody(flags, this.context);
    if (text === undefined)
      throw usage("no new text", "give it with -m, --body-file or --body-stdin");
    if (text.trim() === "") throw invalid("the comment is empty");
    const edited = await this.call(editComment, {
      params: { ...(await this.target(args.ref)), comment_ref: args.comment },
      body: { body: text, actor: await this.actor() },
    });
    await this.print(edited, "changes", ({ commentView }) => commentView("edited"));
  }
}
