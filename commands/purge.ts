import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { examples, fenceFlag, refArg, textFlag } from "../src/cli/flags/flags.ts";
import { confirmation, confirmFlags, ERASED, TITLE_KEPT } from "../src/cli/input/confirm.ts";
import { readIssue } from "../src/cli/session/issue-name.ts";
import { purgeIssue } from "../src/contract/removal.ts";
import { purgeConfirmation } from "../src/domain/confirm.ts";

export default class Purge extends SvcCommand {
  static override summary = "erase an issue with its comments, links and history, for ever";
  static override description =
    `It cannot be restored, and its id is never reused. A record of what was erased and by whom is kept. ${TITLE_KEPT} ${ERASED} svc delete hides an issue and can be undone.`;
  static override args = { ref: refArg() };
  static override flags = {
    ...confirmFlags,
    reason: textFlag("reason, kept for the record", "<text>"),
    ...fenceFlag,
  };
  static override examples = examples({
    "A secret was written into it":
      'svc purge abc4 --force --confirm "PURGE website#abc4" --reason "held a password"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Purge);
    const params = await this.target(args.ref);
    const expectedText = async () => {
      const { qualified_id } = await readIssue(await this.session(), params, true);
      return purgeConfirmation(qualified_id);
    };
    const headers = await confirmation(this, flags, expectedText, TITLE_KEPT);
    const body = { actor: await this.actor(), reason: flags.reason };
    const purged = await this.call(purgeIssue, { params, headers, body });
    await this.print(purged, "removal", ({ purgeView }) => purgeView);
  }
}
