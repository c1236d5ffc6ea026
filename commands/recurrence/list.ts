import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { listRecurrences } from "../../src/contract/recurrences.ts";

export default class RecurrenceList extends SvcCommand {
  static override summary = "list the series of the project";
  static override description =
    "A series creates its next issue when the previous one is closed as done.";
  static override examples = examples({
    "What comes again here": "svc recurrence list",
  });

  async run(): Promise<void> {
    await this.parse(RecurrenceList);
    const found = await this.call(listRecurrences, {
      params: { project_id: await this.projectId() },
    });
    await this.print(found, "recurrences", ({ recurrenceListView }) => recurrenceListView);
  }
}
