import { DaemonCommand } from "../../src/cli/daemon-command.ts";
import { answer } from "../../src/cli/output.ts";

export default class DaemonStop extends DaemonCommand {
  static override summary = "stop the daemon of this database";
  static override description =
    "Requests under way are answered first, for at most 10 seconds. The next command that needs a daemon starts one again.";
  static override examples = [
    { description: "End it now", command: "<%= config.bin %> daemon stop" },
  ];

  async run(): Promise<void> {
    await this.parse(DaemonStop);
    const { stopDaemon } = await import("../../src/client/control.ts");
    const stopped = { action: "stop", ...(await stopDaemon(await this.localConfig())) };
    await this.print(answer(stopped), async () => {
      return (await import("../../src/cli/render/daemon.ts")).stopView;
    });
  }
}
