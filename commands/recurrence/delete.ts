import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { requiredRevisionFlag, uidArg } from "../../src/cli/flags/recurrences.ts";
import { answer } from "../../src/cli/output/output.ts";
import { deleteRecurrence } from "../../src/contract/recurrences.ts";
import { ifMatchTyped } from "../../src/shared/revision.ts";

export default class RecurrenceDelete extends SvcCommand {
  static override summary = "delete a series, keeping its issues";
  static override args = uidArg;
  static override flags = requiredRevisionFlag;
  static override examples = examples({
    "No more of these": "svc recurrence delete 01JZ8XQ4T7M3C9V5B2N6K0H1DE --if-match 3",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RecurrenceDelete);
    await this.call(deleteRecurrence, {
      params: { project_id: await this.projectId(), recurrence_uid: args.uid },
      headers: ifMatchTyped(flags["if-match"]),
      query: { actor: await this.actor() },
    });
    // The daemon answers 204 without a body, so the object that is printed is made here.
    await this.print(
      answer({ uid: args.uid.toUpperCase(), deleted: true }),
      "recurrences",
      ({ recurrenceDeletedView }) => recurrenceDeletedView,
    );
  }
}
