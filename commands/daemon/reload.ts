import { DaemonCommand } from "../../src/cli/bases/daemon-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class DaemonReload extends DaemonCommand {
  static override summary = "make the running daemon reopen its log and read its keys again";
  static override description =
    "For a program that rotates logs by moving the file, or that renews the certificate of [tls]. A certificate that a daemon could not start with is not taken: the daemon keeps the one it has, and this command fails and says why. The key of the embedding provider is read again, too (docs/search.md). Settings are read at start: use svc daemon restart after changing them.";
  static override examples = examples({
    "After the log was moved away, or the certificate renewed": "svc daemon reload",
  });

  async run(): Promise<void> {
    await this.parse(DaemonReload);
    const { reloadDaemon } = await import("../../src/client/reload.ts");
    const reloaded = await reloadDaemon(await this.localConfig());
    if (reloaded === undefined)
      throw usage("no daemon is running", "start it with svc daemon start");
    await this.print(answer(reloaded), "daemon", ({ reloadView }) => reloadView);
  }
}
