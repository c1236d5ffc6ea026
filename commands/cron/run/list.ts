import { DefinitionCommand } from "../../../src/cli/definition-command.ts";
import { examples, integerFlag, textFlag } from "../../../src/cli/flags.ts";
import { listCronRuns } from "../../../src/contract/cron-runs.ts";

export default class CronRunList extends DefinitionCommand {
  static override summary = "list the runs of a project as JSON, newest first";
  static override flags = {
    limit: integerFlag("number of runs, at most 100, the default", "<n>", {
      char: "n",
      min: 1,
      max: 100,
    }),
    "job-uid": textFlag("only runs of this job", "<uid>"),
    "before-uid": textFlag(
      "only runs after this one in the list: the next_before_uid of the previous page",
      "<uid>",
    ),
  };
  static override examples = examples({
    "What is running?": "svc cron run list | jq '.runs[] | select(.status == \"running\")'",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronRunList);
    const uid = (text: string | undefined) =>
      text === undefined ? undefined : this.requireUid(text);
    const query = {
      limit: flags.limit,
      job_uid: uid(flags["job-uid"]),
      before_uid: uid(flags["before-uid"]),
    };
    const params = { project_id: await this.projectId() };
    this.printJson(await this.call(listCronRuns, { params, query }));
  }
}
