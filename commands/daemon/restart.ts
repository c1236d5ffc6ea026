import { DaemonCommand } from "../../src/cli/daemon-command.ts";
import { examples, textFlag } from "../../src/cli/flags.ts";
import { answer } from "../../src/cli/output.ts";

export default class DaemonRestart extends DaemonCommand {
  static override summary = "stop the daemon of this database and start it again";
  static override flags = {
    listen: textFlag("listen on this address instead of the Unix socket", "<ip:port>"),
  };
  static override examples = examples({
    "After a change of config.toml": "svc daemon restart",
    "On a TCP port": "svc daemon restart --listen 127.0.0.1:7777",
  });

  async run(): Promise<void> {
    const { listen } = (await this.parse(DaemonRestart)).flags;
    const config = await this.localConfig(listen === undefined ? {} : { listen });
    const { restartDaemon } = await import("../../src/client/control.ts");
    const restarted = await restartDaemon(config, this.program, listen);
    this.noteExposure(config);
    await this.print(answer(restarted), "daemon", ({ restartView }) => restartView);
  }
}
