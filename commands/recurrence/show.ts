import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { uidArg } from "../../src/cli/flags/recurrences.ts";
import { showRecurrence } from "../../src/contract/recurrences.ts";

export default class RecurrenceShow extends SvcCommand {
  static override summary = "show a series: its rule, the template of its issues, its next day";
  static override args = uidArg;
  static override examples = examples({
    "One of those that svc recurrence list names": "svc recurrence show 01JZ8XQ4T7M3C9V5B2N6K0H1DE",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(RecurrenceShow);
    const shown = await this.call(showRecurrence, {
      params: { project_id: await this.projectId(), recurrence_uid: args.uid },
    });
    await this.print(shown, "recurrences", ({ recurrenceView }) => recurrenceView);
  }
}
