import * as Args from "@oclif/core/args";
import { DaemonCommand } from "../../src/cli/bases/daemon-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class DaemonTrust extends DaemonCommand {
  static override summary = "allow your token to be sent to a server that a workspace names";
  static override description =
    "A .svc.local.toml can come with a folder that somebody else packed, so the server it names gets no token until you trust it here, once for all workspaces. The list is kept in your home, readable by you alone. A server of the catalog ([[daemon]] in config.toml) or of SVC_SERVER needs none of this.";
  static override args = {
    url: Args.string({
      description: "the server, as https://host or https://host:port",
      ignoreStdin: true,
    }),
  };
  static override flags = {
    list: booleanFlag("show the trusted servers", { exclusive: ["remove"] }),
    remove: booleanFlag("trust the server no longer"),
  };
  static override examples = examples({
    "Trust the server of your team": "svc daemon trust https://tracker.example.com",
    "Which servers are trusted": "svc daemon trust --list",
    "Trust it no longer": "svc daemon trust --remove https://tracker.example.com",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DaemonTrust);
    const { home } = await this.localConfig();
    const { changeTrusted, readTrusted } = await import("../../src/config/trusted.ts");
    if (flags.list === true) {
      if (args.url !== undefined) throw usage("--list takes no URL");
      const servers = readTrusted(home);
      return await this.print(answer({ servers }), "daemon", ({ trustedView }) => trustedView);
    }
    if (args.url === undefined)
      throw usage("a URL is missing", "svc daemon trust <url>, or --list");
    const { parseOrigin } = await import("../../src/config/origins.ts");
    const origin = parseOrigin(args.url, "the URL");
    const trusted = flags.remove !== true;
    const changed = await changeTrusted(home, origin, trusted ? "add" : "remove");
    await this.print(
      answer({ url: origin.text, trusted, changed }),
      "daemon",
      ({ trustView }) => trustView,
    );
  }
}
