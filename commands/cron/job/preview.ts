import { DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { arg, examples, integerFlag } from "../../../src/cli/flags.ts";
import { previewCronJob } from "../../../src/contract/cron-ledger.ts";

export default class CronJobPreview extends DefinitionCommand {
  static override summary = "show the next due times of a job in its zone";
  static override description =
    "A time that is skipped when clocks go forward is not due; one that is repeated when they go back is due twice. The first time after a clock change is marked.";
  static override args = { uid: arg("the job's uid") };
  static override flags = {
    limit: integerFlag("number of due times, default 10", "<n>", { char: "n", min: 1 }),
  };
  static override examples = examples({
    "The next three times": "svc cron job preview 01K4M0000000000000000000E1 -n 3",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobPreview);
    const params = await this.recordOf(args.uid);
    const shown = await this.call(previewCronJob, { params, query: { limit: flags.limit } });
    await this.print(shown, "cron", ({ previewView }) => previewView);
  }
}
