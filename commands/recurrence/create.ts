import { localZone } from "../../src/base/zone.ts";
import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { examples, textFlag } from "../../src/cli/flags/flags.ts";
import {
  checkNewSeries,
  startOf,
  templateFlags,
  timingFlags,
} from "../../src/cli/flags/recurrences.ts";
import { readBody } from "../../src/cli/input/body.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { createRecurrence } from "../../src/contract/recurrences.ts";
import { readMetadata } from "../../src/shared/metadata.ts";

export default class RecurrenceCreate extends SvcCommand {
  static override summary = "create a series: closing one of its issues as done creates the next";
  static override description =
    "The first issue is created from the same flags, or is an existing one (--initial-issue). Each issue is scheduled for its day of the rule (scheduled_on) in the zone of the series. The rule is that of calendars (RFC 5545) with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY and INTERVAL, COUNT or UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and WKST.";
  static override flags = {
    ...timingFlags,
    ...templateFlags,
    "initial-issue": textFlag("start with this open issue", "<ref>"),
  };
  static override examples = examples({
    "Every Monday and Thursday":
      'svc recurrence create --title "Water the plants" --rrule "FREQ=WEEKLY;BYDAY=MO,TH" --dtstart 2026-09-28 --timezone Europe/Berlin',
    "The last working day of each month, beginning with an issue that exists":
      'svc recurrence create --initial-issue abc4 --title "Close the books" --rrule "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1" --dtstart 2026-09-01 --timezone America/New_York --owner ann',
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(RecurrenceCreate);
    const { rrule, dtstart, title, owner, priority, label: labels } = flags;
    if (rrule === undefined || dtstart === undefined || title === undefined)
      throw usage("--rrule, --dtstart and --title are required");
    const timezone = flags.timezone ?? localZone();
    const timing = { rrule, dtstart: startOf(dtstart, timezone), timezone };
    const body = readBody(flags, this.context);
    const metadata = readMetadata(flags.meta);
    const template = { title, body, owner, priority, labels, metadata };
    await checkNewSeries(timing, template);
    const params = { project_id: await this.projectId() };
    const actor = await this.actor();
    const initial_issue_ref =
      flags["initial-issue"] ?? (await this.#createFirst(params, template, actor));
    const created = await this.call(createRecurrence, {
      params,
      body: { ...timing, template, initial_issue_ref, actor },
    });
    await this.print(created, "recurrences", ({ recurrenceCreatedView }) =>
      recurrenceCreatedView(initial_issue_ref),
    );
  }

  /** Creates the first issue without the check for similar issues, since all issues of a series are similar. */
  async #createFirst(
    params: { readonly project_id: number },
    template: Parameters<typeof checkNewSeries>[1],
    actor: string,
  ): Promise<string> {
    const { title, body, owner, priority, labels, metadata } = template;
    const wished = { title, body, owner, priority, metadata, force_new: true, actor };
    const made = await this.call(createIssue, {
      params,
      body: { ...wished, labels: labels?.map((label) => label.trim().toLowerCase()) },
    });
    return made.body().issue.short_id;
  }
}
