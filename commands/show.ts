import * as Flags from "@oclif/core/flags";
import { SvcCommand } from "../src/cli/base.ts";
import { refArg } from "../src/cli/flags.ts";
import { withVersion } from "../src/cli/output.ts";
import { showIssue } from "../src/contract/issues.ts";
import { issuePlanningDates } from "../src/contract/planning.ts";

export default class Show extends SvcCommand {
  static override summary = "show an issue with its comments, labels and links";
  static override args = { ref: refArg() };
  static override flags = {
    "planning-dates": Flags.boolean({
      summary: "print as JSON when it is planned for and due, with zones and instants",
    }),
  };
  static override examples = [
    { description: "An issue of this project", command: "<%= config.bin %> show abc4" },
    {
      description: "One of another project; quotes keep the shell from seeing a comment",
      command: '<%= config.bin %> show "website#abc4"',
    },
    { description: "For a program", command: "<%= config.bin %> show abc4 --json" },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Show);
    const params = await this.target(args.ref);
    if (flags["planning-dates"]) {
      const { json } = await this.call(issuePlanningDates, { params });
      return this.writeLine(withVersion(json));
    }
    const shown = await this.call(showIssue, { params });
    await this.print(shown, async () => (await import("../src/cli/render/show.ts")).showView);
  }
}
