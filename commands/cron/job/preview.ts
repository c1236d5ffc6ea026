import { examples, integerFlag } from "../../../src/cli/flags.ts";
import { JobCommand, jobArg } from "../../../src/cli/job-command.ts";
import { previewCronJob } from "../../../src/contract/cron-ledger.ts";

export default class CronJobPreview extends JobCommand {
  static override summary = "show the next due times of a job in its zone";
  static override description =
    "A time that is skipped when clocks go forward is not due; one that is repeated when they go back is due twice. The first time after a clock change is marked.";
  static override args = { job: jobArg() };
  static override flags = {
    limit: integerFlag("number of due times, default 10", "<n>", { char: "n", min: 1 }),
  };
  static override examples = examples({
    "The next three times": "svc cron job preview nightly -n 3",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobPreview);
    const query = { limit: flags.limit };
    const shown = await this.onJob(
      args.job,
      async (params) => await this.call(previewCronJob, { params, query }),
    );
    await this.print(shown, "cron", ({ previewView }) => previewView);
  }
}
