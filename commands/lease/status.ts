import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, refArg } from "../../src/cli/flags/flags.ts";
import { getIssueLeaseStatus } from "../../src/contract/leases.ts";

export default class LeaseStatus extends SvcCommand {
  static override summary = "show who holds the lease of an issue, and for how long";
  static override args = { ref: refArg() };
  static override examples = examples({
    "May I change it?": "svc lease status abc4",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(LeaseStatus);
    const params = await this.target(args.ref);
    await this.print(
      await this.call(getIssueLeaseStatus, { params }),
      "leases",
      ({ leaseStatusView }) => leaseStatusView(args.ref),
    );
  }
}
