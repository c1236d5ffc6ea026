import * as Flags from "@oclif/core/flags";
import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import {
  commentBodyFlags,
  examples,
  fenceFlag,
  refArg,
  textFlag,
} from "../../src/cli/flags/flags.ts";
import { readBody } from "../../src/cli/input/body.ts";
import { createComment } from "../../src/contract/comments.ts";
import { invalid } from "../../src/contract/errors.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { oneLine } from "../../src/shared/text.ts";

export default class Comment extends SvcCommand {
  static override summary = "add a comment to an issue";
  static override description =
    "Without a text it opens your editor (VISUAL, EDITOR) at a terminal.";
  static override args = { ref: refArg() };
  static override flags = {
    ...commentBodyFlags,
    "idempotency-key": textFlag("add at most one comment under this key", "<key>"),
    // The next four flags are hidden. A command line with one of them fails with an error which says that svc edit sets
    // links.
    parent: Flags.string({ hidden: true }),
    blocks: Flags.string({ hidden: true, multiple: true, multipleNonGreedy: true }),
    "blocked-by": Flags.string({ hidden: true, multiple: true, multipleNonGreedy: true }),
    related: Flags.string({ hidden: true, multiple: true, multipleNonGreedy: true }),
    ...fenceFlag,
  };
  static override examples = examples({
    "A line": 'svc comment abc4 -m "found the cause: an empty last line"',
    "A longer text": "svc comment abc4 --body-file findings.md",
    "What another program says": "git log -1 | svc comment abc4 --body-stdin",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Comment);
    const link = (["parent", "blocks", "blocked-by", "related"] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (link !== undefined)
      throw usage(`comment takes no --${link}`, `svc edit ${args.ref} --${link} sets links`);
    const key = flags["idempotency-key"];
    const send = async (body: string) =>
      await this.call(createComment, {
        params: await this.target(args.ref),
        headers: key === undefined ? {} : { "idempotency-key": key },
        body: {
          body,
          teammate: await (await this.session()).teammate(),
          actor: await this.actor(),
        },
      });
    const text = readBody(flags, this.context);
    if (text?.trim() === "") throw invalid("the comment is empty");
    const commented = text === undefined ? await this.#sendTyped(args.ref, send) : await send(text);
    await this.print(commented, "changes", ({ commentView }) => commentView("appended"));
  }

  async #sendTyped<T>(ref: string, send: (text: string) => Promise<T>): Promise<T> {
    const written = await this.inEditor(async () => {
      const { issue } = (await this.call(showIssue, { params: await this.target(ref) })).body();
      return { text: "", help: `A comment on ${issue.qualified_id}, ${oneLine(issue.title)}.` };
    }, send);
    if (written !== undefined) return written.sent;
    throw usage("nothing to say", "give the text with -m, --body-file or --body-file -");
  }
}
