import { patchIssueMetadata } from "../contract/issues.ts";
import { ifMatchTyped } from "../shared/revision.ts";
import { SvcCommand } from "./base.ts";
import { arg, fenceFlag, ifMatchFlag, refArg } from "./flags.ts";

/** Base of `svc schedule` and `svc deadline`. */
export abstract class PlanningCommand extends SvcCommand {
  static override description =
    "A date or a time is read in the issue's own zone (its metadata timezone), otherwise in the daemon's zone; a time that ends in Z is UTC.";
  static override args = {
    ref: refArg(),
    date: arg("2026-09-01, 2026-09-01T14:30 or 2026-09-01T12:30:00Z; - clears it"),
  };
  static override flags = { ...ifMatchFlag, ...fenceFlag };
  protected abstract readonly key: "scheduled_on" | "deadline_on";

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PlanningCommand);
    const date = args.date === "-" ? null : args.date;
    const input = {
      headers: ifMatchTyped(flags["if-match"]),
      params: await this.target(args.ref),
      body: { patch: { [this.key]: date }, actor: await this.actor() },
    };
    await this.print(await this.call(patchIssueMetadata, input), "planning", ({ plannedView }) =>
      plannedView(this.key, date),
    );
  }
}
