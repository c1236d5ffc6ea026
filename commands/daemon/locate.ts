import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class DaemonLocate extends SvcCommand {
  static override summary = "show which daemon commands use from here";
  static override description =
    "The first that is set of --daemon, SVC_SERVER, [server] in .svc.local.toml and active_daemon; otherwise this machine's own daemon, which is started if it does not run. A daemon elsewhere is pinged. Tokens are neither read nor printed.";
  static override flags = {
    "no-start": booleanFlag("do not start this machine's daemon; fail if it does not run"),
  };
  static override examples = examples({
    "Where do my commands go": "svc daemon locate",
    "For a program that speaks HTTP to the daemon itself": "svc daemon locate --json",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonLocate);
    const { config, target, program } = await (await this.session()).client();
    const { locate } = await import("../../src/client/locate.ts");
    const endpoint = await locate(config, target, program, {
      start: flags["no-start"] !== true,
      verify: true,
    });
    const { source, kind, network, scheme, address, requestBaseUrl: request_base_url } = endpoint;
    const shown = { source, kind, network, scheme, address, request_base_url };
    await this.print(answer(shown), "daemon", ({ locateView }) => locateView);
  }
}
