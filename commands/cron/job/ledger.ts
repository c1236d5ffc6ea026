import { JobCommand, jobArg } from "../../../src/cli/bases/job-command.ts";
import { examples, integerFlag, textFlag } from "../../../src/cli/flags/flags.ts";
import { showCronJobLedger } from "../../../src/contract/cron-ledger.ts";

export default class CronJobLedger extends JobCommand {
  static override summary = "show what became of each due time of a recurring job";
  static override description =
    "Newest first. Each due time was delivered (as which issue, how late), discarded (by which catch-up policy), or is pending (for which reason). All of it is read from the log.";
  static override args = { job: jobArg() };
  static override flags = {
    limit: integerFlag("number of due times, default 50", "<n>", { char: "n", min: 1 }),
    before: textFlag(
      "only due times before this: an instant, how long ago, or a day (mon, 2026-01-31)",
      "<when>",
    ),
  };
  static override examples = examples({
    "Was everything delivered while I was away?": "svc cron job ledger nightly",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobLedger);
    const before =
      flags.before === undefined ? undefined : await this.instant("--before", flags.before);
    const query = { limit: flags.limit, before };
    const shown = await this.onJob(
      args.job,
      async (params) => await this.call(showCronJobLedger, { params, query }),
    );
    await this.print(shown, "cron", ({ ledgerView }) => ledgerView);
    const { entries, next_before } = shown.body();
    this.noteCut({ next_before }, { shown: entries.length });
  }
}
