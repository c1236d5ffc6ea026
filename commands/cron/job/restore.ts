import { changeFlags } from "../../../src/cli/bases/definition-command.ts";
import { JobCommand, jobArg } from "../../../src/cli/bases/job-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { restoreCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobRestore extends JobCommand {
  static override summary = "restore a deleted job";
  static override description =
    "It goes on where it stopped: its catch-up policy says what becomes of the time between.";
  static override args = { job: jobArg() };
  static override flags = changeFlags;
  static override examples = examples({
    "Undo a delete": "svc cron job restore nightly --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobRestore);
    const body = await this.changeBody(flags);
    this.printJson(
      await this.onJob(
        args.job,
        async (params) => await this.call(restoreCronJob, { params, body }),
        { preferred: "deleted" },
      ),
    );
  }
}
