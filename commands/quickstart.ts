import { CONTRACT, QUICKSTART } from "../src/cli/agent-files/guide.ts";
import { OfflineCommand } from "../src/cli/bases/offline-command.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";

export default class Quickstart extends OfflineCommand {
  static override summary = "print how to work with svc, on one page";
  static override description =
    "The working loop, the rules for closing an issue and what the output looks like, for people and for coding agents. Needs no daemon. With --format contract it prints what a program that calls svc may rely on: output modes, exit codes, retries.";
  static override aliases = ["agent-instructions"];
  static override formats = ["contract"];
  static override examples = examples({
    "Read it": "svc quickstart",
    "What a script or an agent may rely on": "svc quickstart --format contract",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Quickstart);
    const text = flags.format?.includes("contract") === true ? CONTRACT : QUICKSTART;
    await this.print(answer({ text }), "system", ({ guideView }) => guideView);
  }
}
