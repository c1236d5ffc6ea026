import { JobCommand, jobArg } from "../../../src/cli/bases/job-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { sweepCronJob } from "../../../src/contract/cron-ledger.ts";

export default class CronJobSweep extends JobCommand {
  static override summary = "deliver at once what is due of a recurring job";
  static override description =
    "It makes the child issues that the daemon would make with its next sweep, and prints them. Nothing that is not due is made, and nothing twice, whoever sweeps beside it. A job that is held stays so.";
  static override args = { job: jobArg() };
  static override examples = examples({
    "Do not wait for the daemon's next sweep": "svc cron job sweep nightly",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(CronJobSweep);
    await (await this.session()).requireApi("0.15.0", "update the daemon");
    const swept = await this.onJob(
      args.job,
      async (params) => await this.call(sweepCronJob, { params }),
    );
    await this.print(swept, "cron", ({ sweepView }) => sweepView);
  }
}
