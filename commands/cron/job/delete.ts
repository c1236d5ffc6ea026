import { changeFlags, DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags.ts";
import { archiveCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobDelete extends DefinitionCommand {
  static override summary = "delete a job; it stays readable";
  static override description =
    "The job delivers nothing any more. Its child issues and runs stay.";
  static override args = { uid: arg("the job's uid") };
  static override flags = changeFlags;
  static override examples = examples({
    "Take it out of use":
      "svc cron job delete 01K4M0000000000000000000E1 --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobDelete);
    this.printJson(await this.call(archiveCronJob, await this.changeOf(args.uid, flags)));
  }
}
