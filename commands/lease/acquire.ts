import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { CommandError } from "../../src/cli/failure/failure.ts";
import { examples, fenceFlag, refArg, textFlag } from "../../src/cli/flags/flags.ts";
import { CLIENT_KIND, ttlFlag, ttlOf } from "../../src/cli/flags/leases.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { acquireBody } from "../../src/shared/leases.ts";

export default class LeaseAcquire extends SvcCommand {
  static override summary = "acquire the lease of an issue, so that nobody else can change it";
  static override description =
    "Refused while somebody else holds it. The lease has a fence, a number that grows with each lease of the issue: a write with --fence is refused once the lease is lost. Comments are always possible.";
  static override args = { ref: refArg() };
  static override flags = {
    ...ttlFlag,
    purpose: textFlag("what it is for", "<text>"),
    ...fenceFlag,
  };
  static override examples = examples({
    "Work on an issue for half an hour": "svc lease acquire abc4 --ttl 30m",
    "Close it only if the lease is still held":
      'svc close abc4 --fence 1 --done -m "The parser keeps the empty lines of a file" --commit 1a2b3c4',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LeaseAcquire);
    const ttl_seconds = ttlOf(flags);
    const params = await this.target(args.ref);
    const { purpose } = flags;
    const holder = await this.actor();
    const body = acquireBody({ holder, client_kind: CLIENT_KIND, ttl_seconds, purpose });
    const acquired = await this.call(acquireIssueLease, { params, body });
    const { granted, holder: other, pending } = acquired.body();
    if (pending === true)
      throw new CommandError("conflict", "the hub cannot be reached; the request waits for it", {
        code: "claim_pending",
      });
    if (!granted)
      throw new CommandError("conflict", `${other?.holder ?? "somebody else"} holds the lease`, {
        code: "claim_denied",
        hint: "take another issue, or wait until the lease is over (svc lease status)",
        data: { holder: other },
      });
    await this.print(acquired, "leases", ({ leaseView }) => leaseView(args.ref, "acquired"));
  }
}
