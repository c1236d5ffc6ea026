import { localZone } from "../../src/base/zone.ts";
import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import {
  requiredRevisionFlag,
  startOf,
  templateFlags,
  timingFlags,
  uidArg,
} from "../../src/cli/flags/recurrences.ts";
import { readBody } from "../../src/cli/input/body.ts";
import { invalid } from "../../src/contract/errors.ts";
import { patchRecurrence } from "../../src/contract/recurrences.ts";
import { readMetadata } from "../../src/shared/metadata.ts";
import { ifMatchTyped } from "../../src/shared/revision.ts";

export default class RecurrenceUpdate extends SvcCommand {
  static override summary = "change the rule of a series, or the template of its next issues";
  static override description =
    "Existing issues do not change. A new rule applies after the last day that has an issue. --label and --meta replace all labels and all metadata.";
  static override args = uidArg;
  static override flags = {
    ...requiredRevisionFlag,
    ...timingFlags,
    ...templateFlags,
    "clear-owner": booleanFlag("create issues without an owner", { exclusive: ["owner"] }),
    "clear-priority": booleanFlag("create issues without a priority", { exclusive: ["priority"] }),
  };
  static override examples = examples({
    "Every other week":
      'svc recurrence update 01JZ8XQ4T7M3C9V5B2N6K0H1DE --if-match 3 --rrule "FREQ=WEEKLY;INTERVAL=2"',
    "Somebody else is to do it":
      "svc recurrence update 01JZ8XQ4T7M3C9V5B2N6K0H1DE --if-match 4 --owner bea",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RecurrenceUpdate);
    const { rrule, timezone, title, owner, priority, label: labels } = flags;
    const dtstart =
      flags.dtstart === undefined ? undefined : startOf(flags.dtstart, timezone ?? localZone());
    const template = present({
      title,
      body: readBody(flags, this.context),
      owner,
      priority,
      labels,
      metadata: readMetadata(flags.meta),
      clear_owner: flags["clear-owner"] || undefined,
      clear_priority: flags["clear-priority"] || undefined,
    });
    const change = present({ rrule, dtstart, timezone, template });
    if (change === undefined) throw invalid("nothing to change was given");
    const updated = await this.call(patchRecurrence, {
      params: { project_id: await this.projectId(), recurrence_uid: args.uid },
      headers: ifMatchTyped(flags["if-match"]),
      body: { ...change, actor: await this.actor() },
    });
    await this.print(updated, "recurrences", ({ recurrenceUpdatedView }) => recurrenceUpdatedView);
  }
}

function present<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
