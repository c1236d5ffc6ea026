import { patchIssueMetadata } from "../../contract/issues.ts";
import { issuePlanningDates } from "../../contract/planning.ts";
import { plannedOf } from "../../shared/moment.ts";
import type { IssuePlace } from "../../shared/ref.ts";
import { ifMatchTyped } from "../../shared/revision.ts";
import { arg, fenceFlag, ifMatchFlag, refArg } from "../flags/flags.ts";
import { hereAndNow } from "../flags/when.ts";
import { SvcCommand } from "./svc-command.ts";

export abstract class PlanningCommand extends SvcCommand {
  static override description =
    "A date or a time is read in the issue's own zone (its metadata timezone), otherwise in the daemon's zone; a time that ends in Z is UTC. Words such as tomorrow, fri, next week, +3d, +2w, +1mo, +4h and eod mean days of this machine's zone.";
  static override args = {
    ref: refArg(),
    date: arg("2026-09-01, 2026-09-01T14:30, 2026-09-01T12:30:00Z, tomorrow or +3d; - clears it"),
  };
  static override flags = { ...ifMatchFlag, ...fenceFlag };
  protected abstract readonly key: "scheduled_on" | "deadline_on";

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PlanningCommand);
    const date = args.date === "-" ? null : plannedOf(this.key, args.date, hereAndNow());
    const params = await this.target(args.ref);
    const input = {
      headers: ifMatchTyped(flags["if-match"]),
      params,
      body: { patch: { [this.key]: date }, actor: await this.actor() },
    };
    const planned = await this.call(patchIssueMetadata, input);
    const isSaid = date !== null && date !== args.date;
    const isShown = isSaid && this.mode !== "json" && !this.quiet;
    const instant = isShown ? await this.#storedInstant(params) : undefined;
    await this.print(planned, "planning", ({ plannedView }) =>
      plannedView(this.key, date, instant),
    );
  }

  /** The instant of the planning date. The daemon computes it, because the issue may have its own time zone. */
  async #storedInstant(params: IssuePlace): Promise<string | undefined> {
    return (await this.call(issuePlanningDates, { params })).body()[this.key]?.instant;
  }
}
