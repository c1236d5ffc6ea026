import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { CommandError } from "../../src/cli/failure/failure.ts";
import { examples, fenceFlag, refArg, textFlag } from "../../src/cli/flags/flags.ts";
import { CLIENT_KIND, requireExplicitActor, ttlFlag, ttlOf } from "../../src/cli/flags/leases.ts";
import { acquireIssueLease, forceReleaseIssueLease } from "../../src/contract/leases.ts";
import { acquireBody } from "../../src/shared/leases.ts";

export default class LeaseSteal extends SvcCommand {
  static override summary = "take over the lease of an issue from its holder";
  static override description =
    "Acquires the lease; if somebody else holds it, ends that lease first. A repeated call keeps the lease that the first one got. The former holder can change nothing under its old fence. With --fence only the lease with that fence is taken over; if it has ended already, nothing happens.";
  static override args = { ref: refArg() };
  static override flags = {
    reason: textFlag("why", "<text>"),
    ...ttlFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Go on where a worker stopped":
      'svc lease steal abc4 --as ann --ttl 1h --reason "worker 7 hangs"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LeaseSteal);
    const actor = requireExplicitActor(this.globals);
    const ttl_seconds = ttlOf(flags);
    const params = await this.target(args.ref);
    const body = acquireBody({ holder: actor, client_kind: CLIENT_KIND, ttl_seconds });
    let acquired = await this.call(acquireIssueLease, { params, body });
    if (!acquired.body().granted) {
      await this.call(forceReleaseIssueLease, { params, body: { reason: flags.reason, actor } });
      acquired = await this.call(acquireIssueLease, { params, body }, { fenced: false });
    }
    const { granted, holder } = acquired.body();
    if (!granted)
      throw new CommandError(
        "conflict",
        `the lease was taken from its holder, but ${holder?.holder ?? "somebody else"} was faster to acquire it`,
        { code: "claim_steal_partial", data: { holder } },
      );
    await this.print(acquired, "leases", ({ leaseView }) => leaseView(args.ref, "acquired"));
  }
}
