import {
  DefinitionCommand,
  documentFlag,
  expectedFlag,
} from "../../../src/cli/bases/definition-command.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { replaceCronWorkflow } from "../../../src/contract/cron-workflows.ts";

export default class CronWorkflowUpdate extends DefinitionCommand {
  static override summary = "replace the name and the whole definition of a workflow";
  static override description =
    "Refused if somebody changed it after you read it: read it again, then decide. Anything that the file leaves out is removed.";
  static override args = { uid: arg("the workflow's uid") };
  static override flags = { ...documentFlag, ...expectedFlag };
  static override examples = examples({
    "Change what was read":
      "svc cron workflow update 01K4M0000000000000000000E1 --file check.json --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronWorkflowUpdate);
    const cron_uid = this.requireUid(args.uid);
    const { project_id, body } = await this.replacementOf(flags);
    const params = { project_id, cron_uid };
    this.printJson(await this.call(replaceCronWorkflow, { params, body }));
  }
}
