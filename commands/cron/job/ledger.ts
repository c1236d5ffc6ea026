import { DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { arg, examples, integerFlag, textFlag } from "../../../src/cli/flags.ts";
import { showCronJobLedger } from "../../../src/contract/cron-ledger.ts";

export default class CronJobLedger extends DefinitionCommand {
  static override summary = "show what became of each due time of a recurring job";
  static override description =
    "Newest first. Each due time was delivered (as which issue, how late), discarded (by which catch-up policy), or is pending (for which reason). All of it is read from the log.";
  static override args = { uid: arg("the job's uid") };
  static override flags = {
    limit: integerFlag("number of due times, default 50", "<n>", { char: "n", min: 1 }),
    before: textFlag(
      "only due times before this: an instant, how long ago, or a day (mon, 2026-01-31)",
      "<when>",
    ),
  };
  static override examples = examples({
    "Was everything delivered while I was away?": "svc cron job ledger 01K4M0000000000000000000E1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobLedger);
    const params = await this.recordOf(args.uid);
    const before =
      flags.before === undefined ? undefined : await this.instant("--before", flags.before);
    const query = { limit: flags.limit, before };
    const shown = await this.call(showCronJobLedger, { params, query });
    await this.print(shown, "cron", ({ ledgerView }) => ledgerView);
  }
}
