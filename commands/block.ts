import { blockArgs, LinkCommand, linkCommandFlags } from "../src/cli/bases/link-command.ts";
import { examples } from "../src/cli/flags/flags.ts";

export default class Block extends LinkCommand {
  static override summary = "say that one issue blocks another";
  static override description =
    "The second issue is not ready until the first is closed. The same as svc edit <blocker> --blocks <blocked>.";
  static override args = blockArgs();
  static override flags = linkCommandFlags;
  static override examples = examples({
    "def5 waits until abc4 is closed": "svc block abc4 def5",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Block);
    await this.change(args.blocker, { add: { blocks: [args.blocked] } }, flags);
  }
}
