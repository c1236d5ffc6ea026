import * as Flags from "@oclif/core/flags";
import { DefinitionCommand } from "../../../src/cli/bases/definition-command.ts";
import { examples, integerFlag, textFlag } from "../../../src/cli/flags/flags.ts";
import { hereAndNow } from "../../../src/cli/flags/when.ts";
import { RUN_GROUPINGS, reportCronRuns } from "../../../src/contract/cron-runs.ts";
import { dayOf } from "../../../src/shared/moment.ts";

/** Groupings that older daemons do not support. */
const NEW: ReadonlySet<string> = new Set(["workflow", "teammate", "executor"]);

export default class CronRunReport extends DefinitionCommand {
  static override summary = "sum up the tokens and the time of runs";
  static override description =
    "The figures are those that the runs report. Groups with the most tokens come first. A run counts for the UTC day of its start.";
  static override flags = {
    by: Flags.option({
      options: RUN_GROUPINGS,
      summary: "what to group by, default issue",
      helpValue: "<what>",
    })(),
    since: textFlag("first day: 2026-01-31, yesterday, mon", "<day>"),
    until: textFlag("last day, in the same forms", "<day>"),
    limit: integerFlag("number of lines, default 20", "<n>", { char: "n", min: 1 }),
  };
  static override examples = examples({
    "What did each agent use in January?":
      "svc cron run report --by actor --since 2026-01-01 --until 2026-01-31",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronRunReport);
    const { by } = flags;
    const [since, until] = [dayFlag("--since", flags.since), dayFlag("--until", flags.until)];
    const limit = flags.limit ?? (this.mode === "json" ? undefined : 20);
    const params = { project_id: await this.projectId() };
    if (by !== undefined && NEW.has(by))
      await (await this.session()).requireApi("0.15.0", "update the daemon");
    const report = await this.call(reportCronRuns, { params, query: { by, since, until, limit } });
    await this.print(report, "runs", ({ runReportView }) => runReportView);
    const { groups, truncated } = report.body();
    this.noteCut({ truncated }, { shown: groups.length, rows: limit });
  }
}

/** Returns the day that the value of a flag means. It is a UTC day, because the report counts runs by UTC days. */
function dayFlag(flag: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : dayOf(flag, text, hereAndNow("UTC"), "back");
}
