import { expectedFlag } from "../../../src/cli/definition-command.ts";
import { arg } from "../../../src/cli/flags.ts";
import { JobSwitchCommand } from "../../../src/cli/job-switch-command.ts";

export default class CronJobDisable extends JobSwitchCommand {
  static override summary = "turn a job off; nothing is lost by it";
  static override description =
    "A recurring job delivers nothing until it is turned on again. The rest of the definition stays as it is.";
  static override args = { uid: arg("the job's uid") };
  static override flags = { "expected-event-uid": expectedFlag() };
  static override examples = [
    {
      description: "Pause it",
      command: "<%= config.bin %> cron job disable 01K4M0000000000000000000E1",
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobDisable);
    await this.switchJob(args.uid, flags["expected-event-uid"], false);
  }
}
