import { dependencyArgs, LinkCommand, linkCommandFlags } from "../../src/cli/bases/link-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";

export default class DepAdd extends LinkCommand {
  static override summary = "say that an issue depends on another";
  static override description =
    "The first issue is not ready until the second is closed. The same as svc edit <ref> --blocked-by <dependency>; svc block takes the two issues the other way round.";
  static override args = dependencyArgs();
  static override flags = linkCommandFlags;
  static override examples = examples({
    "abc4 waits until def5 is closed": "svc dep add abc4 def5",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DepAdd);
    await this.change(args.ref, { add: { blocked_by: [args.dependency] } }, flags);
  }
}
