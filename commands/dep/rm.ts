import { dependencyArgs, LinkCommand, linkCommandFlags } from "../../src/cli/bases/link-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";

export default class DepRm extends LinkCommand {
  static override aliases = ["dep:remove"];
  static override summary = "say that an issue no longer depends on another";
  static override description = "The same as svc edit <ref> --remove-blocked-by <dependency>.";
  static override args = dependencyArgs();
  static override flags = linkCommandFlags;
  static override examples = examples({
    "abc4 no longer waits for def5": "svc dep rm abc4 def5",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DepRm);
    await this.change(args.ref, { remove: { blocked_by: [args.dependency] } }, flags);
  }
}
