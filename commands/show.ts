import { SvcCommand } from "../src/cli/base.ts";
import { refArg } from "../src/cli/flags.ts";
import { showIssue } from "../src/contract/issues.ts";

export default class Show extends SvcCommand {
  static override summary = "show an issue with its comments, labels and links";
  static override args = { ref: refArg() };
  static override examples = [
    { description: "An issue of this project", command: "<%= config.bin %> show abc4" },
    {
      description: "One of another project; quotes keep the shell from seeing a comment",
      command: '<%= config.bin %> show "website#abc4"',
    },
    { description: "For a program", command: "<%= config.bin %> show abc4 --json" },
  ];

  async run(): Promise<void> {
    const { args } = await this.parse(Show);
    const shown = await this.call(showIssue, { params: await this.target(args.ref) });
    await this.print(shown, async () => (await import("../src/cli/render/show.ts")).showView);
  }
}
