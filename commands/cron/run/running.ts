import { DefinitionCommand } from "../../../src/cli/bases/definition-command.ts";
import { examples, integerFlag } from "../../../src/cli/flags/flags.ts";
import { listRunningCronRuns } from "../../../src/contract/cron-runs.ts";
import { MAX_RUNS } from "../../../src/contract/limits.ts";

export default class CronRunRunning extends DefinitionCommand {
  static override summary = "list the runs that say they are running, oldest first";
  static override description =
    "A run whose worker is gone stays running until somebody records how it ended, with svc cron run observe: the fields of svc cron run show, the new status, and expected_revision. Silent is the time since the run was last recorded. Only the actor of a run can change its record, unless the daemon knows the caller by a credential.";
  static override flags = {
    limit: integerFlag(`number of runs, at most ${MAX_RUNS}, the default`, "<n>", {
      char: "n",
      min: 1,
      max: MAX_RUNS,
    }),
  };
  static override examples = examples({
    "Which runs hang?": "svc cron run running",
    "One of them was cancelled":
      "svc cron run show 01K4M0000000000000000000R1 | jq '.run | del(.id, .uid, .project_id, .revision, .created_at, .updated_at) + {status: \"cancelled\", expected_revision: .revision}' | svc cron run observe 01K4M0000000000000000000R1 --json-input -",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronRunRunning);
    await (await this.session()).requireApi("0.15.0", "update the daemon");
    const params = { project_id: await this.projectId() };
    const query = { limit: flags.limit };
    const found = await this.call(listRunningCronRuns, { params, query });
    await this.print(found, "runs", ({ runningView }) => runningView);
    const { runs, truncated } = found.body();
    const rows = flags.limit ?? MAX_RUNS;
    this.noteCut({ truncated }, { shown: runs.length, rows, mostRows: MAX_RUNS });
  }
}
