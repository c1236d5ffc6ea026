import { systemClock } from "../../src/base/clock.ts";
import { DaemonCommand } from "../../src/cli/bases/daemon-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class DaemonExposure extends DaemonCommand {
  static override summary = "show who can reach the daemon, and who may read and write there";
  static override description =
    "For each address: from where it can be reached, who may read, write and administer tokens with which token, which row of the start-up table decides, and what is open that need not be. Asks the running daemon what it answers without a token, and starts none: without one it shows what the settings would open. It names what cannot be checked from here, and never a token.";
  static override examples = examples({
    "Who can reach my issues": "svc daemon exposure",
    "For a program": "svc daemon exposure --json",
  });

  async run(): Promise<void> {
    await this.parse(DaemonExposure);
    const config = await this.localConfig();
    const { daemonsOf } = await import("../../src/client/daemons.ts");
    const { exposureReport } = await import("../../src/cli/exposure/exposure.ts");
    const { machineNetwork } = await import("../../src/cli/exposure/listener.ts");
    const around = machineNetwork(systemClock.nowMs());
    const report = await exposureReport(config, await daemonsOf(config), around);
    await this.print(answer(report), "exposure", ({ exposureView }) => exposureView);
  }
}
