import { JobToggleCommand } from "../../../src/cli/bases/job-toggle-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";

export default class CronJobDisable extends JobToggleCommand {
  static override summary = "turn a job off";
  static override description =
    "The job delivers nothing until it is turned on again. The rest of its definition does not change.";
  static override examples = examples({
    "Pause it": "svc cron job disable nightly",
  });
  protected override readonly enabled = false;
}
