import { DefinitionCommand } from "../../../src/cli/bases/definition-command.ts";
import { booleanFlag, examples } from "../../../src/cli/flags/flags.ts";
import { listCronWorkflows } from "../../../src/contract/cron-workflows.ts";

export default class CronWorkflowList extends DefinitionCommand {
  static override summary = "list the workflows of a project as JSON";
  static override flags = {
    "include-deleted": booleanFlag("include deleted ones"),
  };
  static override examples = examples({
    "Names and uids": "svc cron workflow list | jq -r '.workflows[] | [.uid, .name] | @tsv'",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronWorkflowList);
    const query = { include_deleted: flags["include-deleted"] || undefined };
    const params = { project_id: await this.projectId() };
    this.printJson(await this.call(listCronWorkflows, { params, query }));
  }
}
