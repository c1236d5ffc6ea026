import { documentFlag, expectedFlag } from "../../../src/cli/bases/definition-command.ts";
import { JobCommand, jobArg } from "../../../src/cli/bases/job-command.ts";
import { parentFlag, withParent } from "../../../src/cli/bases/parent-flag.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { replaceCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobUpdate extends JobCommand {
  static override summary = "replace the name and the whole definition of a job";
  static override description =
    "Refused if somebody changed it after you read it: read it again, then decide. Anything that the file leaves out is removed.";
  static override args = { job: jobArg() };
  static override flags = { ...documentFlag, ...expectedFlag, ...parentFlag };
  static override examples = examples({
    "Change what was read":
      "svc cron job update nightly --file check.json --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobUpdate);
    const { project_id, body } = await this.replacementOf(flags, withParent(flags.parent));
    this.printJson(
      await this.onJob(
        args.job,
        async (params) => await this.call(replaceCronJob, { params, body }),
        { project_id },
      ),
    );
  }
}
