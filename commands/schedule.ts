import { PlanningCommand } from "../src/cli/bases/planning-command.ts";
import { examples } from "../src/cli/flags/flags.ts";

export default class Schedule extends PlanningCommand {
  static override summary = "schedule an issue: it is not ready before this date";
  static override examples = examples({
    "Next Monday morning": "svc schedule abc4 2026-09-28T09:00",
    "No date any more": "svc schedule abc4 -",
  });
  protected override readonly key = "scheduled_on";
}
