import { SvcCommand } from "../src/cli/base.ts";
import { examples } from "../src/cli/flags.ts";
import { health } from "../src/contract/health.ts";

export default class Health extends SvcCommand {
  static override summary = "say how the daemon is, without starting one";
  static override description = "Ends with exit code 7 when no daemon runs.";
  static override examples = examples({
    "Is it there": "svc health",
    "For a monitor": "svc health --json",
  });
  protected override readonly autostart = false;

  async run(): Promise<void> {
    await this.parse(Health);
    const report = await this.call(health, {});
    await this.print(report, async () => (await import("../src/cli/render/system.ts")).healthView);
  }
}
