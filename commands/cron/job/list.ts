import { DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { booleanFlag, examples } from "../../../src/cli/flags.ts";
import { listCronJobs } from "../../../src/contract/cron-jobs.ts";

export default class CronJobList extends DefinitionCommand {
  static override summary = "list the jobs of a project as JSON";
  static override flags = {
    "include-deleted": booleanFlag("include deleted ones"),
  };
  static override examples = examples({
    "Names and uids": "svc cron job list | jq -r '.jobs[] | [.uid, .name] | @tsv'",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronJobList);
    const query = { include_deleted: flags["include-deleted"] || undefined };
    const params = { project_id: await this.projectId() };
    this.printJson(await this.call(listCronJobs, { params, query }));
  }
}
