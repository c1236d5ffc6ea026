import { DaemonCommand } from "../../src/cli/daemon-command.ts";
import { usage } from "../../src/cli/failure.ts";
import { examples } from "../../src/cli/flags.ts";
import { answer } from "../../src/cli/output.ts";

export default class DaemonReload extends DaemonCommand {
  static override summary = "make the running daemon reopen its log file";
  static override description =
    "For a program that rotates logs by moving the file. Settings are read at start: use svc daemon restart after changing them.";
  static override examples = examples({
    "After the log was moved away": "svc daemon reload",
  });

  async run(): Promise<void> {
    await this.parse(DaemonReload);
    const { reloadDaemon } = await import("../../src/client/control.ts");
    const pid = await reloadDaemon(await this.localConfig());
    if (pid === undefined) throw usage("no daemon is running", "start it with svc daemon start");
    await this.print(answer({ action: "reload", pid }), "daemon", ({ reloadView }) => reloadView);
  }
}
