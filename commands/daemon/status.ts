import { DaemonCommand } from "../../src/cli/bases/daemon-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class DaemonStatus extends DaemonCommand {
  static override summary = "show the running daemons of this home folder";
  static override description =
    "Starts none. The one marked with * serves the database that commands use here.";
  static override examples = examples({
    "What runs here": "svc daemon status",
    "For a program": "svc daemon status --json",
  });

  async run(): Promise<void> {
    await this.parse(DaemonStatus);
    const { daemonStatus } = await import("../../src/client/status.ts");
    await this.print(
      answer(await daemonStatus(await this.localConfig())),
      "daemon",
      ({ statusView }) => statusView,
    );
  }
}
