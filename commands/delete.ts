import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { examples, fenceFlag, refArg } from "../src/cli/flags/flags.ts";
import { confirmation, confirmFlags } from "../src/cli/input/confirm.ts";
import { readIssue } from "../src/cli/session/issue-name.ts";
import { deleteIssue } from "../src/contract/removal.ts";
import { deleteConfirmation } from "../src/domain/confirm.ts";

export default class Delete extends SvcCommand {
  static override aliases = ["rm"];
  static override summary = "delete an issue; svc restore brings it back";
  static override description =
    "A deleted issue is hidden from lists, search, graph and readiness, and blocks nothing. Nothing of it is lost; to erase an issue for ever use svc purge.";
  static override args = { ref: refArg() };
  static override flags = { ...confirmFlags, ...fenceFlag };
  static override examples = examples({
    "Asked for the confirmation": "svc delete abc4 --force",
    "In a script": 'svc delete abc4 --force --confirm "DELETE website#abc4"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Delete);
    const params = await this.target(args.ref);
    const headers = await confirmation(this, flags, async () => {
      const { qualified_id } = await readIssue(await this.session(), params, true);
      return deleteConfirmation(qualified_id);
    });
    const body = { actor: await this.actor() };
    const deleted = await this.call(deleteIssue, { params, headers, body });
    await this.print(deleted, "removal", ({ deleteView }) => deleteView);
  }
}
