import { transportTo } from "../client/transport-to.ts";
import { replaceCronJob, showCronJob } from "../contract/cron-jobs.ts";
import { toggleJob } from "../shared/toggle-job.ts";
import { DefinitionCommand, expectedFlag } from "./definition-command.ts";
import { arg } from "./flags.ts";
import { withVersion } from "./output.ts";

/** Base of `svc cron job enable` and `disable`. */
export abstract class JobToggleCommand extends DefinitionCommand {
  static override args = { uid: arg("the job's uid") };
  static override flags = expectedFlag;
  protected abstract readonly enabled: boolean;

  /** Without `--expected-event-uid` the current definition is changed, whatever it is. */
  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobToggleCommand);
    const cron_uid = this.requireUid(args.uid);
    const client = await (await this.session()).client();
    const project_id = await this.projectId();
    const actor = await this.actor();
    const expected = flags["expected-event-uid"];
    const daemon = transportTo(client, { replaceCronJob, showCronJob });
    const toggle = { project_id, cron_uid, enabled: this.enabled, expected, actor };
    const answer = await toggleJob(daemon, toggle);
    this.writeLine(withVersion(answer));
    await this.noteIdle(answer);
  }
}
