import {
  DefinitionCommand,
  documentFlag,
  expectedFlag,
} from "../../../src/cli/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags.ts";
import { parentFlag, withParent } from "../../../src/cli/parent-flag.ts";
import { replaceCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobUpdate extends DefinitionCommand {
  static override summary = "replace the name and the whole definition of a job";
  static override description =
    "Refused if somebody changed it after you read it: read it again, then decide. Anything that the file leaves out is removed.";
  static override args = { uid: arg("the job's uid") };
  static override flags = { ...documentFlag, ...expectedFlag, ...parentFlag };
  static override examples = examples({
    "Change what was read":
      "svc cron job update 01K4M0000000000000000000E1 --file check.json --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobUpdate);
    this.printJson(
      await this.call(
        replaceCronJob,
        await this.replacementOf(args.uid, flags, withParent(flags.parent)),
      ),
    );
  }
}
