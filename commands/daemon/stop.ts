import { DaemonCommand } from "../../src/cli/bases/daemon-command.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class DaemonStop extends DaemonCommand {
  static override summary = "stop the daemon of this database";
  static override description =
    "Requests in progress are answered first, for at most 10 seconds. The next command that needs a daemon starts one again. A daemon that hangs does not react: --force then kills it, after checking that the process is that daemon. Every acknowledged write is on disk.";
  static override examples = examples({
    "End it now": "svc daemon stop",
    "End one that does not answer": "svc daemon stop --force",
  });
  static override flags = {
    force: booleanFlag("kill a daemon that does not end by itself"),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonStop);
    const { stopDaemon } = await import("../../src/client/control.ts");
    const { force } = flags;
    const stopped = { action: "stop", ...(await stopDaemon(await this.localConfig(), { force })) };
    this.changedNothing = !stopped.stopped;
    await this.print(answer(stopped), "daemon", ({ stopView }) => stopView);
  }
}
