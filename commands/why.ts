import { LimitedCommand } from "../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../src/cli/flags/budget.ts";
import { examples, refArg } from "../src/cli/flags/flags.ts";
import { whyIssue } from "../src/contract/search.ts";

export default class Why extends LimitedCommand {
  static override summary = "explain why an issue is not ready, and what can be worked on instead";
  static override description =
    "Follows the chain: the issues that block it, what blocks those, the parent that holds it back, the date it is scheduled for. An open issue is either listed by svc ready or has at least one reason here.";
  static override args = { ref: refArg() };
  static override flags = maxBytesFlag;
  static override examples = examples({
    "What stands in the way": "svc why abc4",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Why);
    this.boundHere(flags);
    const explained = await this.call(whyIssue, { params: await this.target(args.ref) });
    await this.print(explained, "why", ({ whyView }) => whyView);
  }
}
