import { changeFlags, DefinitionCommand } from "../../../src/cli/bases/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { restoreCronWorkflow } from "../../../src/contract/cron-workflows.ts";

export default class CronWorkflowRestore extends DefinitionCommand {
  static override summary = "restore a deleted workflow";
  static override description = "It is restored as it was when it was deleted.";
  static override args = { uid: arg("the workflow's uid") };
  static override flags = changeFlags;
  static override examples = examples({
    "Undo a delete":
      "svc cron workflow restore 01K4M0000000000000000000E1 --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronWorkflowRestore);
    const body = await this.changeBody(flags);
    const params = await this.recordOf(args.uid);
    this.printJson(await this.call(restoreCronWorkflow, { params, body }));
  }
}
