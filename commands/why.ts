import { SvcCommand } from "../src/cli/base.ts";
import { examples, refArg } from "../src/cli/flags.ts";
import { whyIssue } from "../src/contract/search.ts";

export default class Why extends SvcCommand {
  static override summary = "say why an issue is not ready, down to what can be worked on";
  static override description =
    "Follows the chain: what blocks it, what blocks that, the parent that holds it up, the date it is planned for. An open issue is either in svc ready or has at least one reason here.";
  static override args = { ref: refArg() };
  static override examples = examples({
    "What stands in the way": "svc why abc4",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(Why);
    const explained = await this.call(whyIssue, { params: await this.target(args.ref) });
    await this.print(explained, async () => (await import("../src/cli/render/why.ts")).whyView);
  }
}
