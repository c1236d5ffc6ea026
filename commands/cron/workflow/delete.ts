import { changeFlags, DefinitionCommand } from "../../../src/cli/bases/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { archiveCronWorkflow } from "../../../src/contract/cron-workflows.ts";

export default class CronWorkflowDelete extends DefinitionCommand {
  static override summary = "delete a workflow; it stays readable";
  static override description = "Refused while a live job uses it.";
  static override args = { uid: arg("the workflow's uid") };
  static override flags = changeFlags;
  static override examples = examples({
    "Take it out of use":
      "svc cron workflow delete 01K4M0000000000000000000E1 --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronWorkflowDelete);
    const body = await this.changeBody(flags);
    const params = await this.recordOf(args.uid);
    this.printJson(await this.call(archiveCronWorkflow, { params, body }));
  }
}
