import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { arg, examples, textFlag } from "../../../src/cli/flags/flags.ts";
import { confirmation } from "../../../src/cli/input/confirm.ts";
import { batchId } from "../../../src/cli/input/quarantine.ts";
import { retryFederationQuarantine } from "../../../src/contract/federation-quarantine.ts";
import { retryConfirmation } from "../../../src/domain/confirm.ts";

export default class FederationQuarantineRetry extends SvcCommand {
  static override summary = "send a refused batch of changes to the hub again";
  static override description =
    "The same events are sent with the next pass, which begins at once. That helps once the hub has changed: it was upgraded, or what it missed is there now. If it refuses them again, there is a new batch.";
  static override args = { id: arg("the id in svc federation quarantine list") };
  static override flags = {
    confirm: textFlag("the confirmation text, instead of typing it when asked", "<text>"),
    reason: textFlag("reason, kept for the record", "<text>"),
  };
  static override examples = examples({
    "The hub was upgraded": `svc federation quarantine retry 3 --confirm "RETRY FEDERATION BATCH 3" --reason "hub upgraded"`,
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FederationQuarantineRetry);
    const quarantine_id = batchId(args.id);
    const params = { project_id: await this.projectId(), quarantine_id };
    const expected = async () => await Promise.resolve(retryConfirmation(quarantine_id));
    const headers = await confirmation(this, flags, expected);
    const body = { actor: await this.actor(), reason: flags.reason };
    const decided = await this.call(retryFederationQuarantine, { params, headers, body });
    await this.print(decided, "quarantine", ({ quarantineRetriedView }) => quarantineRetriedView);
  }
}
