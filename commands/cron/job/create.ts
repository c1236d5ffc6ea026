import { systemIds } from "../../../src/base/ids.ts";
import {
  DefinitionCommand,
  documentFlag,
  requireDocument,
} from "../../../src/cli/definition-command.ts";
import { examples, textFlag } from "../../../src/cli/flags.ts";
import { withParent } from "../../../src/cli/parent-flag.ts";
import { createCronJob } from "../../../src/contract/cron-jobs.ts";
import { invalid } from "../../../src/shared/invalid.ts";

export default class CronJobCreate extends DefinitionCommand {
  static override summary = "define a job from a file";
  static override description =
    `svc itself delivers a job with the action notify and the issue policy per-run: each time it is due, its parent gets a child issue and the recipient gets a request. All other jobs are run by an adapter. The file is JSON, for example:

  {
    "name": "Weekday check",
    "definition": {
      "version": 1,
      "kind": "job",
      "enabled": true,
      "trigger": {
        "kind": "cron",
        "cron": "0 9 * * 1-5",
        "timezone": "Europe/Berlin"
      },
      "action": {"kind": "notify", "recipient": "current-owner-or-author"},
      "issue": {"kind": "per-run", "title": "Weekday check"},
      "overlap": "allow",
      "catchup": "latest"
    }
  }`;
  static override flags = {
    file: documentFlag(),
    uid: textFlag(
      "the job's uid; repeating a call with the same uid never creates a second job",
      "<ulid>",
    ),
    parent: textFlag(
      "parent of the issues that a recurring job creates: short id, project#id or uid",
      "<ref>",
    ),
  };
  static override examples = examples({
    "A child of abc4 on every weekday": "svc cron job create --file check.json --parent abc4",
    "Again after a lost answer":
      "svc cron job create --file check.json --uid 01K4M0000000000000000000E1",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronJobCreate);
    const envelope = this.readEnvelope(flags.file);
    if (envelope.expected_event_uid !== undefined)
      throw invalid("a create has no expected_event_uid: nothing is there yet");
    const document = requireDocument(flags.file, envelope);
    const { definition, project_id } =
      flags.parent === undefined
        ? { ...document, project_id: await this.projectId() }
        : await withParent(
            await this.session(),
            document.definition,
            flags.parent,
            this.globals.project,
          );
    const uid = flags.uid === undefined ? systemIds().ulid() : this.requireUid(flags.uid);
    const actor = await this.actorWith(envelope);
    this.note(`Definition UID: ${uid} (reuse --uid on retry)`);
    const created = await this.call(createCronJob, {
      params: { project_id },
      body: { name: document.name, definition, uid, actor },
    });
    this.printJson(created);
    await this.noteIdle(created.json);
  }
}
