import { SvcCommand } from "../src/cli/base.ts";
import { examples, fenceFlag } from "../src/cli/flags.ts";
import { dateValue, planningArgs, planningFlags } from "../src/cli/planning.ts";
import { patchIssueMetadata } from "../src/contract/issues.ts";
import { ifMatchTyped } from "../src/shared/revision.ts";

export default class Schedule extends SvcCommand {
  static override summary = "plan an issue for a date, before which it is not ready";
  static override description =
    "A date or a time of day is read in the issue's own zone (its metadata timezone), else in that of the daemon; one that ends in Z says its zone itself.";
  static override args = planningArgs;
  static override flags = { ...planningFlags, ...fenceFlag };
  static override examples = examples({
    "Next Monday morning": "svc schedule abc4 2026-09-28T09:00",
    "No date any more": "svc schedule abc4 -",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Schedule);
    const date = dateValue(args.date);
    const planned = await this.call(patchIssueMetadata, {
      headers: ifMatchTyped(flags["if-match"]),
      params: await this.target(args.ref),
      body: { patch: { scheduled_on: date }, actor: await this.actor() },
    });
    await this.print(planned, async () => {
      const { plannedView, SCHEDULE } = await import("../src/cli/render/planning.ts");
      return plannedView(SCHEDULE, date);
    });
  }
}
