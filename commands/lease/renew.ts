import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, fenceFlag, refArg, requiredFlag } from "../../src/cli/flags/flags.ts";
import { CLIENT_KIND } from "../../src/cli/flags/leases.ts";
import { renewIssueLease } from "../../src/contract/leases.ts";
import { leaseSeconds } from "../../src/shared/leases.ts";

export default class LeaseRenew extends SvcCommand {
  static override summary = "renew your lease, counted from now";
  static override description =
    "An expired lease cannot be renewed: acquire it again, and look at the issue first, since somebody may have changed it.";
  static override args = { ref: refArg() };
  static override flags = {
    ttl: requiredFlag("how long it lasts from now, 60s to 24h", "<time>"),
    ...fenceFlag,
  };
  static override examples = examples({
    "Another half hour": "svc lease renew abc4 --ttl 30m",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LeaseRenew);
    const ttl_seconds = leaseSeconds("--ttl", flags.ttl);
    const params = await this.target(args.ref);
    const body = { client_kind: CLIENT_KIND, ttl_seconds, actor: await this.actor() };
    await this.print(
      await this.call(renewIssueLease, { params, body }),
      "leases",
      ({ leaseView }) => leaseView(args.ref, "renewed"),
    );
  }
}
