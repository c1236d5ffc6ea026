import {
  DefinitionCommand,
  documentFlag,
  expectedFlag,
  requireDocument,
} from "../../../src/cli/definition-command.ts";
import { arg, examples, textFlag } from "../../../src/cli/flags.ts";
import { withParent } from "../../../src/cli/parent-flag.ts";
import { replaceCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobUpdate extends DefinitionCommand {
  static override summary = "replace the name and the whole definition of a job";
  static override description =
    "Refused if somebody changed it after you read it: read it again, then decide. Anything that the file leaves out is removed.";
  static override args = { uid: arg("the job's uid") };
  static override flags = {
    file: documentFlag(),
    "expected-event-uid": expectedFlag(),
    parent: textFlag(
      "parent of the issues that a recurring job creates: short id, project#id or uid",
      "<ref>",
    ),
  };
  static override examples = examples({
    "Change what was read":
      "svc cron job update 01K4M0000000000000000000E1 --file check.json --expected-event-uid 01K4M0000000000000000000Z1",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobUpdate);
    const cron_uid = this.requireUid(args.uid);
    const envelope = this.readEnvelope(flags.file);
    const document = requireDocument(flags.file, envelope);
    const expected_event_uid = this.expectedOf(envelope, flags["expected-event-uid"]);
    const { definition, project_id } =
      flags.parent === undefined
        ? { ...document, project_id: await this.projectId() }
        : await withParent(
            await this.session(),
            document.definition,
            flags.parent,
            this.globals.project,
          );
    const actor = await this.actorWith(envelope);
    this.printJson(
      await this.call(replaceCronJob, {
        params: { project_id, cron_uid },
        body: { name: document.name, definition, expected_event_uid, actor },
      }),
    );
  }
}
