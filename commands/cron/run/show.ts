import { DefinitionCommand } from "../../../src/cli/bases/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { showCronRun } from "../../../src/contract/cron-runs.ts";

export default class CronRunShow extends DefinitionCommand {
  static override summary = "show a run as JSON";
  static override args = { uid: arg("the run's uid") };
  static override examples = examples({
    "The revision that a change must name":
      "svc cron run show 01K4M0000000000000000000R1 | jq .run.revision",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(CronRunShow);
    const run_uid = this.requireUid(args.uid);
    const params = { project_id: await this.projectId(), run_uid };
    this.printJson(await this.call(showCronRun, { params }));
  }
}
