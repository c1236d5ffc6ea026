import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, fenceFlag, refArg } from "../../src/cli/flags/flags.ts";
import { CLIENT_KIND } from "../../src/cli/flags/leases.ts";
import { releaseIssueLease } from "../../src/contract/leases.ts";

export default class LeaseRelease extends SvcCommand {
  static override summary = "release your lease of an issue";
  static override args = { ref: refArg() };
  static override flags = fenceFlag;
  static override examples = examples({
    "Done with it": "svc lease release abc4",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(LeaseRelease);
    const params = await this.target(args.ref);
    const body = { client_kind: CLIENT_KIND, actor: await this.actor() };
    await this.print(
      await this.call(releaseIssueLease, { params, body }),
      "leases",
      ({ leaseView }) => leaseView(args.ref, "released"),
    );
  }
}
