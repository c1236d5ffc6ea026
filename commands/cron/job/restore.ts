import { changeFlags, DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags.ts";
import { restoreCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobRestore extends DefinitionCommand {
  static override summary = "restore a deleted job";
  static override description =
    "It goes on where it stopped: its catch-up policy says what becomes of the time between.";
  static override args = { uid: arg("the job's uid") };
  static override flags = changeFlags;
  static override examples = examples({
    "Undo a delete":
      "svc cron job restore 01K4M0000000000000000000E1 --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobRestore);
    this.printJson(await this.call(restoreCronJob, await this.changeOf(args.uid, flags)));
  }
}
