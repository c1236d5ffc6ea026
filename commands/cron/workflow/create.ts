import {
  DefinitionCommand,
  documentFlag,
  uidFlag,
} from "../../../src/cli/bases/definition-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { createCronWorkflow } from "../../../src/contract/cron-workflows.ts";

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
  static override flags = { ...documentFlag, ...uidFlag("workflow") };
  static override examples = examples({
    "Again after a lost answer":
      "svc cron workflow create --file check.json --uid 01K4M0000000000000000000E1",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronWorkflowCreate);
    this.printJson(await this.call(createCronWorkflow, await this.creationOf(flags)));
  }
}
