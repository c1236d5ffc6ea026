import { DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags.ts";
import { showCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobShow extends DefinitionCommand {
  static override summary = "show a job as JSON, including a deleted one";
  static override args = { uid: arg("the job's uid") };
  static override examples = examples({
    "What a change must name":
      "svc cron job show 01K4M0000000000000000000E1 | jq -r .job.definition_event_uid",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(CronJobShow);
    this.printJson(await this.call(showCronJob, { params: await this.recordOf(args.uid) }));
  }
}
