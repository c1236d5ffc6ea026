import * as Args from "@oclif/core/args";
import { OfflineCommand } from "../src/cli/bases/offline-command.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { answer, withVersion } from "../src/cli/output/output.ts";
import { allCommands } from "../src/cli/start/help.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export default class Completion extends OfflineCommand {
  static override summary = "print the script that completes svc in a shell";
  static override description =
    "Completes commands, aliases, flags and their values. Made from this program alone: neither it nor Tab asks a daemon or starts one. svc autocomplete writes the scripts to your cache folder instead, also for powershell.";
  static override args = {
    shell: Args.string({
      description: `your shell: ${SHELLS.join(", ")}`,
      options: [...SHELLS],
      required: true,
      ignoreStdin: true,
    }),
  };
  static override examples = examples({
    "bash, in ~/.bashrc": "source <(svc completion bash)",
    "zsh, in a folder of $fpath": 'svc completion zsh > "${fpath[1]}/_svc"',
    fish: "svc completion fish > ~/.config/fish/completions/svc.fish",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(Completion);
    const script = await this.script(args.shell);
    if (this.mode !== "json") return this.writeLine(script.trimEnd());
    this.writeLine(withVersion(answer({ shell: args.shell, script }).json));
  }

  private async script(shell: string): Promise<string> {
    const { root, version } = this.config;
    if (shell === "zsh") {
      const { Config } = await import("@oclif/core/config");
      const { default: Zsh } = await import(
        "../node_modules/@oclif/plugin-autocomplete/lib/autocomplete/zsh.js"
      );
      const load = { root, version, userPlugins: false, devPlugins: false };
      return new Zsh(await Config.load(load)).generate();
    }
    const { completionsOf } = await import("../src/cli/completion/model.ts");
    const offered = completionsOf(await allCommands(root, version));
    if (shell === "fish")
      return (await import("../src/cli/completion/fish.ts")).fishScript(offered);
    return (await import("../src/cli/completion/bash.ts")).bashScript(offered);
  }
}
