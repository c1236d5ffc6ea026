import { PlanningCommand } from "../src/cli/bases/planning-command.ts";
import { examples } from "../src/cli/flags/flags.ts";

export default class Deadline extends PlanningCommand {
  static override summary = "set or clear the deadline of an issue";
  static override examples = examples({
    "The end of the quarter": "svc deadline abc4 2026-09-28T09:00",
    "No date any more": "svc deadline abc4 -",
  });
  protected override readonly key = "deadline_on";
}
