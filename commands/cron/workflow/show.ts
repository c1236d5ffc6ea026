import { DefinitionCommand } from "../../../src/cli/bases/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { showCronWorkflow } from "../../../src/contract/cron-workflows.ts";

export default class CronWorkflowShow extends DefinitionCommand {
  static override summary = "show a workflow as JSON, including a deleted one";
  static override args = { uid: arg("the workflow's uid") };
  static override examples = examples({
    "What a change must name":
      "svc cron workflow show 01K4M0000000000000000000E1 | jq -r .workflow.definition_event_uid",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(CronWorkflowShow);
    this.printJson(await this.call(showCronWorkflow, { params: await this.recordOf(args.uid) }));
  }
}
