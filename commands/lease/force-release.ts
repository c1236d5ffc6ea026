import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples, fenceFlag, refArg, textFlag } from "../../src/cli/flags/flags.ts";
import { requireExplicitActor } from "../../src/cli/flags/leases.ts";
import { forceReleaseIssueLease } from "../../src/contract/leases.ts";

export default class LeaseForceRelease extends SvcCommand {
  static override summary = "end the lease that somebody else holds";
  static override description =
    "For a holder that is gone. Afterwards nobody holds the issue. The log records who ended the lease and why, so --as is required.";
  static override args = { ref: refArg() };
  static override flags = { reason: textFlag("why", "<text>"), ...fenceFlag };
  static override examples = examples({
    "Its holder is gone": 'svc lease force-release abc4 --as ann --reason "worker 7 crashed"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LeaseForceRelease);
    const actor = requireExplicitActor(this.globals);
    const params = await this.target(args.ref);
    const body = { reason: flags.reason, actor };
    await this.print(
      await this.call(forceReleaseIssueLease, { params, body }),
      "leases",
      ({ leaseView }) => leaseView(args.ref, "released"),
    );
  }
}
