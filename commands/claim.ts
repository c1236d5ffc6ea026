import { IssuesCommand } from "../src/cli/bases/issues-command.ts";
import { booleanFlag, commentFlag, examples, fenceFlag, refsArg } from "../src/cli/flags/flags.ts";
import { claimIssue } from "../src/contract/actions.ts";

export default class Claim extends IssuesCommand {
  static override aliases = ["start"];
  static override summary = "become the owner of issues";
  static override description =
    "Refused if somebody else owns the issue. If several callers claim one issue at the same moment, exactly one succeeds.";
  static override args = { ref: refsArg() };
  static override flags = {
    force: booleanFlag("take it over from its owner", { exclusive: ["if-unowned"] }),
    "if-unowned": booleanFlag("refuse even if you own it already", { exclusive: ["force"] }),
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Take an issue": "svc claim abc4",
    "Take all that a search finds": "svc search parser -q | svc claim -",
    "Take it over from somebody who left": 'svc claim abc4 --force --comment "agreed with ann"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Claim);
    const body = {
      force: flags.force || undefined,
      if_unowned: flags["if-unowned"] || undefined,
      actor: await this.actor(),
    };
    await this.each([args.ref].flat(), {
      act: async (params) => await this.call(claimIssue, { params, body }),
      file: "changes",
      choose: ({ claimView }) => claimView,
      comment: flags.comment,
    });
  }
}
