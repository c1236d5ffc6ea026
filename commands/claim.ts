import { SvcCommand } from "../src/cli/base.ts";
import { booleanFlag, commentFlag, examples, fenceFlag, refArg } from "../src/cli/flags.ts";
import { claimIssue } from "../src/contract/actions.ts";

export default class Claim extends SvcCommand {
  static override aliases = ["start"];
  static override summary = "become the owner of an issue";
  static override description =
    "Refused if somebody else owns the issue. If several callers claim one issue at the same moment, exactly one succeeds.";
  static override args = { ref: refArg() };
  static override flags = {
    force: booleanFlag("take it over from its owner", { exclusive: ["if-unowned"] }),
    "if-unowned": booleanFlag("refuse even if you own it already", { exclusive: ["force"] }),
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Take an issue": "svc claim abc4",
    "Take it over from somebody who left": 'svc claim abc4 --force --comment "agreed with ann"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Claim);
    const params = await this.target(args.ref);
    const body = {
      force: flags.force || undefined,
      if_unowned: flags["if-unowned"] || undefined,
      actor: await this.actor(),
    };
    const claimed = await this.call(claimIssue, { params, body });
    await this.print(claimed, "changes", ({ claimView }) => claimView);
    await this.alsoComment(params, flags.comment);
  }
}
