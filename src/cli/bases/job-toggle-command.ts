import { transportTo } from "../../client/transport-to.ts";
import { replaceCronJob, showCronJob } from "../../contract/cron-jobs.ts";
import { toggleJob } from "../../shared/toggle-job.ts";
import { withVersion } from "../output/output.ts";
import { expectedFlag } from "./definition-command.ts";
import { JobCommand, jobArg } from "./job-command.ts";

export abstract class JobToggleCommand extends JobCommand {
  static override args = { job: jobArg() };
  static override flags = expectedFlag;
  protected abstract readonly enabled: boolean;

  /**
   * Enables or disables the job. Without `--expected-event-uid`, the change applies to whatever definition the job has
   * now.
   */
  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobToggleCommand);
    const client = await (await this.session()).client();
    const actor = await this.actor();
    const expected = flags["expected-event-uid"];
    const daemon = transportTo(client, { replaceCronJob, showCronJob });
    const toggle = { enabled: this.enabled, expected, actor };
    const answer = await this.onJob(
      args.job,
      async (place) => await toggleJob(daemon, { ...place, ...toggle }),
    );
    this.writeLine(withVersion(answer));
    await this.noteIdle(answer);
  }
}
