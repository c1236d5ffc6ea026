import { LimitedCommand } from "../../../src/cli/bases/limited-command.ts";
import { textBytes } from "../../../src/cli/flags/budget.ts";
import { booleanFlag, examples, integerFlag } from "../../../src/cli/flags/flags.ts";
import { listCronJobs } from "../../../src/contract/cron-jobs.ts";
import { TEXT_BUDGET_BYTES } from "../../../src/contract/list-budget.ts";

export default class CronJobList extends LimitedCommand {
  static override summary = "list the jobs of a project: next, last, and what holds them";
  static override description =
    "Last is the due time that svc delivered last, or when an adapter's last run began. Why says what holds a job, or why it has no next time. With --json the definitions are printed, with -q the uids.";
  static override flags = {
    "include-deleted": booleanFlag("include deleted ones"),
    "max-bytes": integerFlag(
      `print at most this many bytes of text; default ${TEXT_BUDGET_BYTES}; 0 means all`,
      "<n>",
    ),
  };
  static override examples = examples({
    "What runs, and what does not": "svc cron job list",
    "Names and uids": "svc cron job list --json | jq -r '.jobs[] | [.uid, .name] | @tsv'",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronJobList);
    const isText = this.mode !== "json" && !this.quiet;
    const query = {
      include_deleted: flags["include-deleted"] || undefined,
      times: (isText && (await (await this.session()).hasApi("0.15.0"))) || undefined,
    };
    const params = { project_id: await this.projectId() };
    const found = await this.call(listCronJobs, { params, query });
    this.textBytes = textBytes(flags);
    await this.print(found, "jobs", ({ jobsView }) => jobsView);
  }
}
