import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { arg, examples, textFlag } from "../../../src/cli/flags/flags.ts";
import { confirmation } from "../../../src/cli/input/confirm.ts";
import { batchId, WHAT_SKIP_DOES } from "../../../src/cli/input/quarantine.ts";
import { skipFederationQuarantine } from "../../../src/contract/federation-quarantine.ts";
import { skipConfirmation } from "../../../src/domain/confirm.ts";

export default class FederationQuarantineSkip extends SvcCommand {
  static override summary = "give up a refused batch of changes, here too";
  static override description =
    `The hub never gets the events, and the copy sends what comes after them. ${WHAT_SKIP_DOES} It cannot be undone: what is to stay has to be written again.`;
  static override args = { id: arg("the id in svc federation quarantine list") };
  static override flags = {
    confirm: textFlag("the confirmation text, instead of typing it when asked", "<text>"),
    reason: textFlag("reason, kept for the record", "<text>"),
  };
  static override examples = examples({
    "A change that nobody needs": `svc federation quarantine skip 3 --confirm "SKIP FEDERATION BATCH 3" --reason "done on the hub"`,
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FederationQuarantineSkip);
    const quarantine_id = batchId(args.id);
    const params = { project_id: await this.projectId(), quarantine_id };
    const expected = async () => await Promise.resolve(skipConfirmation(quarantine_id));
    const headers = await confirmation(this, flags, expected, WHAT_SKIP_DOES);
    const body = { actor: await this.actor(), reason: flags.reason };
    const decided = await this.call(skipFederationQuarantine, { params, headers, body });
    await this.print(decided, "quarantine", ({ quarantineSkippedView }) => quarantineSkippedView);
  }
}
