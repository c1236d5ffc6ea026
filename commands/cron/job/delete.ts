import { changeFlags } from "../../../src/cli/bases/definition-command.ts";
import { JobCommand, jobArg } from "../../../src/cli/bases/job-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { archiveCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobDelete extends JobCommand {
  static override summary = "delete a job; it stays readable";
  static override description =
    "The job delivers nothing any more. Its child issues and runs stay.";
  static override args = { job: jobArg() };
  static override flags = changeFlags;
  static override examples = examples({
    "Take it out of use":
      "svc cron job delete nightly --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobDelete);
    const body = await this.changeBody(flags);
    this.printJson(
      await this.onJob(
        args.job,
        async (params) => await this.call(archiveCronJob, { params, body }),
      ),
    );
  }
}
