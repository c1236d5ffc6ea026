import { DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags.ts";
import { sweepCronJob } from "../../../src/contract/cron-ledger.ts";

export default class CronJobSweep extends DefinitionCommand {
  static override summary = "deliver at once what is due of a recurring job";
  static override description =
    "It makes the child issues that the daemon would make with its next sweep, and prints them. Nothing that is not due is made, and nothing twice, whoever sweeps beside it. A job that is held stays so.";
  static override args = { uid: arg("the job's uid") };
  static override examples = examples({
    "Do not wait for the daemon's next sweep": "svc cron job sweep 01K4M0000000000000000000E1",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(CronJobSweep);
    const params = await this.recordOf(args.uid);
    await (await this.session()).requireApi("0.15.0", "update the daemon");
    const swept = await this.call(sweepCronJob, { params });
    await this.print(swept, "cron", ({ sweepView }) => sweepView);
  }
}
