import { DaemonCommand, daemonFlags, readonlyFlag } from "../../src/cli/bases/daemon-command.ts";
import { examples, textFlag } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class DaemonRestart extends DaemonCommand {
  static override summary = "stop the daemon of this database and start it again";
  static override flags = {
    listen: textFlag("listen here instead of on the Unix socket; several with commas", "<ip:port>"),
    "insecure-readonly": readonlyFlag(),
  };
  static override examples = examples({
    "After a change of config.toml": "svc daemon restart",
    "On a TCP port": "svc daemon restart --listen 127.0.0.1:7777",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonRestart);
    const config = await this.localConfig(daemonFlags(flags));
    const { restartDaemon } = await import("../../src/client/control.ts");
    const restarted = await restartDaemon(config, this.program);
    this.noteExposure(config);
    await this.print(answer(restarted), "daemon", ({ restartView }) => restartView);
  }
}
