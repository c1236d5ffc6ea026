import { DefinitionCommand, expectedFlag, fileFlag } from "../../../src/cli/definition-command.ts";
import { arg } from "../../../src/cli/flags.ts";
import { restoreCronWorkflow } from "../../../src/contract/cron.ts";

export default class CronWorkflowRestore extends DefinitionCommand {
  static override summary = "bring a deleted workflow back";
  static override description = "As it was when it was deleted.";
  static override args = { uid: arg("the workflow's uid") };
  static override flags = {
    file: fileFlag("JSON with expected_event_uid and actor, - for standard input"),
    "expected-event-uid": expectedFlag(),
  };
  static override examples = [
    {
      description: "Undo a delete",
      command:
        "<%= config.bin %> cron workflow restore 01K4M0000000000000000000E1 --expected-event-uid 01K4M0000000000000000000Z1",
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronWorkflowRestore);
    const cron_uid = this.requireUid(args.uid);
    const envelope = flags.file === undefined ? {} : this.readEnvelope(flags.file);
    const expected_event_uid = this.expectedOf(envelope, flags["expected-event-uid"]);
    const params = { project_id: await this.projectId(), cron_uid };
    const body = { expected_event_uid, actor: await this.actorWith(envelope) };
    this.printJson(await this.call(restoreCronWorkflow, { params, body }));
  }
}
