import { IssuesCommand } from "../src/cli/bases/issues-command.ts";
import { conditionFlags, evidenceFlags, readClose } from "../src/cli/flags/close.ts";
import { booleanFlag, commentFlag, examples, fenceFlag, refsArg } from "../src/cli/flags/flags.ts";
import { closeIssue } from "../src/contract/actions.ts";
import { evidenceText } from "../src/shared/evidence.ts";

export default class Close extends IssuesCommand {
  static override summary = "close issues with a reason and evidence";
  static override description =
    "A close needs a reason, a message and evidence, so that others can rely on it. done needs at least one of --commit, --pr, --test, --reviewed and a message of 40 characters; wontfix a message of 60; --duplicate-of and --superseded-by a message of 20; audit-no-change a message of 40 and --evidence no-change-audit:<why>. An issue with open children cannot be closed.";
  static override args = { ref: refsArg() };
  static override flags = {
    ...evidenceFlags,
    "dry-run": booleanFlag("run all checks and change nothing", { exclusive: ["comment"] }),
    ...conditionFlags,
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Done, with the commit that did it":
      'svc close abc4 --done --commit 1f2e3d4 -m "The parser keeps the last line of a file that ends without a newline."',
    "Done, and how it was checked":
      'svc close abc4 --done --test "npm test" --reviewed src/parser.ts -m "Empty files are read as no lines; the test covers both forms."',
    "There is one already":
      'svc close abc4 --duplicate-of def5 -m "the same crash on an empty file"',
    "Both are the same as another":
      'svc close abc4 ghj6 --duplicate-of def5 -m "the same crash on an empty file"',
    "It will not be done":
      'svc close abc4 --wontfix -m "The old format is read by nobody any more, and the reader goes away with 2.0."',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Close);
    const { reason, message, evidence, headers } = readClose(flags);
    const dryRun = flags["dry-run"];
    const body = {
      reason,
      message,
      evidence,
      dry_run: dryRun || undefined,
      retry_protocol: Object.keys(headers).length === 0 ? undefined : ("close-v1" as const),
      actor: await this.actor(),
    };
    const { "idempotency-key": key, "if-match": revision } = flags;
    await this.each([args.ref].flat(), {
      act: async (params) => await this.call(closeIssue, { params, headers, body }),
      file: "changes",
      choose: ({ closeView }) =>
        closeView({ reason, evidence: evidence.map(evidenceText), dryRun }),
      comment: flags.comment,
      single: { "idempotency-key": key, "if-match": revision },
    });
  }
}
