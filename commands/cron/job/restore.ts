import { DefinitionCommand, expectedFlag, fileFlag } from "../../../src/cli/definition-command.ts";
import { arg } from "../../../src/cli/flags.ts";
import { restoreCronJob } from "../../../src/contract/cron.ts";

export default class CronJobRestore extends DefinitionCommand {
  static override summary = "bring a deleted job back";
  static override description =
    "It goes on where it stopped: its catch-up policy says what becomes of the time between.";
  static override args = { uid: arg("the job's uid") };
  static override flags = {
    file: fileFlag("JSON with expected_event_uid and actor, - for standard input"),
    "expected-event-uid": expectedFlag(),
  };
  static override examples = [
    {
      description: "Undo a delete",
      command:
        "<%= config.bin %> cron job restore 01K4M0000000000000000000E1 --expected-event-uid 01K4M0000000000000000000Z1",
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobRestore);
    const cron_uid = this.requireUid(args.uid);
    const envelope = flags.file === undefined ? {} : this.readEnvelope(flags.file);
    const expected_event_uid = this.expectedOf(envelope, flags["expected-event-uid"]);
    const params = { project_id: await this.projectId(), cron_uid };
    const body = { expected_event_uid, actor: await this.actorWith(envelope) };
    this.printJson(await this.call(restoreCronJob, { params, body }));
  }
}
