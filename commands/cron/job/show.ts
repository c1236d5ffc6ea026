import { JobCommand, jobArg } from "../../../src/cli/bases/job-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { showCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobShow extends JobCommand {
  static override summary = "show a job as JSON, including a deleted one";
  static override args = { job: jobArg() };
  static override examples = examples({
    "What a change must name": "svc cron job show nightly | jq -r .job.definition_event_uid",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(CronJobShow);
    this.printJson(
      await this.onJob(args.job, async (params) => await this.call(showCronJob, { params })),
    );
  }
}
