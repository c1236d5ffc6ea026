import * as Flags from "@oclif/core/flags";
import { LimitedCommand } from "../../src/cli/bases/limited-command.ts";
import { nextCloseCursor, rowsBytesFlag, textBytes } from "../../src/cli/flags/budget.ts";
import { limitFlag, requireAtLeast } from "../../src/cli/flags/filters.ts";
import { booleanFlag, examples, integerFlag, textFlag } from "../../src/cli/flags/flags.ts";
import { auditCloses } from "../../src/contract/activity.ts";
import { CLOSE_REASONS } from "../../src/domain/close.ts";

export default class AuditCloses extends LimitedCommand {
  static override summary = "list what was closed, by whom and on what evidence";
  static override description =
    "Marks the closes that deserve a second look: no-evidence is a close without evidence; throttled is a close that was refused at first, because several siblings were closed at once or with the same message.";
  static override flags = {
    since: textFlag(
      "start of the time span: how long ago (12h, 7d), or a day or a time (mon, 2026-01-31)",
      "<when>",
    ),
    until: textFlag("end of the time span, in the same forms; default now", "<when>"),
    actor: textFlag("only issues closed by this actor", "<actor>"),
    parent: textFlag("only children of this issue, as they were when closed", "<ref>"),
    reason: Flags.string({
      summary: "only closes with this reason",
      helpValue: "<reason>",
      options: [...CLOSE_REASONS],
    }),
    "no-evidence": booleanFlag("only closes without evidence"),
    after: integerFlag("closes after this event", "<id>"),
    limit: limitFlag("at most this many; 0 means all, the default"),
    ...rowsBytesFlag,
  };
  static override examples = examples({
    "A week's closes": "svc audit closes --since 7d",
    "The next fifty, after the event that the last row names":
      "svc audit closes --after 4200 --limit 50",
    "What an agent closed without evidence": "svc audit closes --actor worker-1 --no-evidence",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(AuditCloses);
    requireAtLeast(0, "--limit", flags.limit);
    requireAtLeast(0, "--after", flags.after);
    const { since, until } = flags;
    const found = await this.call(auditCloses, {
      query: {
        project_id: await this.projectId(),
        since: since === undefined ? undefined : await this.instant("--since", since),
        until: until === undefined ? undefined : await this.instant("--until", until),
        actor: flags.actor,
        parent: flags.parent,
        reason: CLOSE_REASONS.find((reason) => reason === flags.reason),
        no_evidence: flags["no-evidence"] || undefined,
        after_event_id: flags.after,
        limit: flags.limit,
        ...(await this.pageBytes(flags, nextCloseCursor)),
      },
    });
    this.limitBy(flags, { rows: flags.limit });
    const page = await this.fitted(
      found,
      textBytes(flags),
      async () => (await import("../../src/cli/render/audit.ts")).fittedCloses,
    );
    await this.print(page, "audit", ({ auditView }) => auditView);
    if (this.mode === "json") return;
    const { rows, ...rest } = page.body();
    this.noteRest({ ...rest, next_after: rows.at(-1)?.event_id }, rows.length);
  }
}
