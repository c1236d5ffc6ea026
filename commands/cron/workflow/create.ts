import { systemIds } from "../../../src/base/ids.ts";
import {
  DefinitionCommand,
  documentFlag,
  requireDocument,
} from "../../../src/cli/definition-command.ts";
import { examples, textFlag } from "../../../src/cli/flags.ts";
import { createCronWorkflow } from "../../../src/contract/cron-workflows.ts";
import { invalid } from "../../../src/shared/invalid.ts";

export default class CronWorkflowCreate extends DefinitionCommand {
  static override summary = "define a workflow from a file";
  static override description =
    `Steps of commands and prompts that jobs run. The file is JSON, for example:

  {
    "name": "Checks",
    "definition": {
      "version": 1,
      "steps": [
        {"key": "build", "kind": "command", "command": "make"},
        {
          "key": "review",
          "kind": "prompt",
          "prompt": "Read the diff",
          "after": ["build"]
        }
      ]
    }
  }`;
  static override flags = {
    file: documentFlag(),
    uid: textFlag(
      "the workflow's uid; repeating a call with the same uid never creates a second workflow",
      "<ulid>",
    ),
  };
  static override examples = examples({
    "Again after a lost answer":
      "svc cron workflow create --file check.json --uid 01K4M0000000000000000000E1",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronWorkflowCreate);
    const envelope = this.readEnvelope(flags.file);
    if (envelope.expected_event_uid !== undefined)
      throw invalid("a create has no expected_event_uid: nothing is there yet");
    const document = requireDocument(flags.file, envelope);
    const { definition } = document;
    const project_id = await this.projectId();
    const uid = flags.uid === undefined ? systemIds().ulid() : this.requireUid(flags.uid);
    const actor = await this.actorWith(envelope);
    this.note(`Definition UID: ${uid} (reuse --uid on retry)`);
    this.printJson(
      await this.call(createCronWorkflow, {
        params: { project_id },
        body: { name: document.name, definition, uid, actor },
      }),
    );
  }
}
