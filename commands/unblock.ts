import { blockArgs, LinkCommand, linkCommandFlags } from "../src/cli/bases/link-command.ts";
import { examples } from "../src/cli/flags/flags.ts";

export default class Unblock extends LinkCommand {
  static override summary = "say that one issue no longer blocks another";
  static override description =
    "The same as svc edit <blocker> --remove-blocks <blocked>. svc why names what blocks an issue.";
  static override args = blockArgs();
  static override flags = linkCommandFlags;
  static override examples = examples({
    "def5 no longer waits for abc4": "svc unblock abc4 def5",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Unblock);
    await this.change(args.blocker, { remove: { blocks: [args.blocked] } }, flags);
  }
}
