import { switchJob } from "../client/switch-job.ts";
import { DefinitionCommand } from "./definition-command.ts";
import { withVersion } from "./output.ts";

/** `svc cron job enable` and `disable`. */
export abstract class JobSwitchCommand extends DefinitionCommand {
  /** Without an expected event the job is turned as it is now. */
  protected async switchJob(
    text: string,
    expected: string | undefined,
    enabled: boolean,
  ): Promise<void> {
    const cron_uid = this.requireUid(text);
    const client = await (await this.session()).client();
    const asked = { project_id: await this.projectId(), cron_uid, enabled, expected };
    const actor = await this.actor();
    this.writeLine(withVersion(await switchJob(client, { ...asked, actor })));
  }
}
