import { JobToggleCommand } from "../../../src/cli/bases/job-toggle-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";

export default class CronJobEnable extends JobToggleCommand {
  static override summary = "turn a job on";
  static override description =
    "The job goes on where it stopped; its catch-up policy decides about the due times in between. The rest of its definition does not change.";
  static override examples = examples({
    "Let it go on": "svc cron job enable nightly",
  });
  protected override readonly enabled = true;
}
