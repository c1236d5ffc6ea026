import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { health } from "../src/contract/health.ts";

export default class Health extends SvcCommand {
  static override summary = "show the state of the daemon, without starting one";
  static override description = "The exit code is 7 if no daemon runs.";
  static override examples = examples({
    "Is it there": "svc health",
    "For a monitor": "svc health --json",
  });
  protected override readonly autostart = false;

  async run(): Promise<void> {
    await this.parse(Health);
    const report = await this.call(health, {});
    await this.print(report, "system", ({ healthView }) => healthView);
  }
}
