import { isUlid } from "../../../src/base/ulid.ts";
import { JobCommand } from "../../../src/cli/bases/job-command.ts";
import { examples, integerFlag, textFlag } from "../../../src/cli/flags/flags.ts";
import { listCronRuns } from "../../../src/contract/cron-runs.ts";

export default class CronRunList extends JobCommand {
  static override summary = "list the runs of a project as JSON, newest first";
  static override flags = {
    limit: integerFlag("number of runs, at most 100, the default", "<n>", {
      char: "n",
      min: 1,
      max: 100,
    }),
    "job-uid": textFlag("only runs of this job, by its name or uid", "<job>", { aliases: ["job"] }),
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
    const params = { project_id: await this.projectId() };
    const { "job-uid": job, "before-uid": before } = flags;
    const query = {
      limit: flags.limit,
      job_uid:
        job === undefined || isUlid(job)
          ? job?.toUpperCase()
          : await this.uidOf(job, params.project_id),
      before_uid: before === undefined ? undefined : this.requireUid(before),
    };
    const found = await this.call(listCronRuns, { params, query });
    this.printJson(found);
    const { runs, next_before_uid } = found.body();
    this.noteCut({ next_before_uid }, { shown: runs.length });
  }
}
