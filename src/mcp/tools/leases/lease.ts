import { z } from "zod";
import { acquireIssueLease, releaseIssueLease, renewIssueLease } from "../../../contract/leases.ts";
import { type FixedIssue, fixedIssue } from "../../confirmed.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { AskedLeaseOutput, CLIENT_KIND, leaseOf } from "./lease-output.ts";

export const lease = tool({
  name: "svc.lease",
  title: "Acquire, renew or release a lease",
  description:
    "A lease lets only its holder change the issue. granted is false if somebody else holds it; pending: the hub is asked again. A lease with ttl_seconds ends by itself unless it is renewed.",
  annotations: { ...CHANGES, idempotentHint: false },
  input: z.strictObject({
    ref: inputs.ref,
    action: z.enum(["acquire", "renew", "release"]).describe("renew needs ttl_seconds"),
    ttl_seconds: inputs.leaseSeconds.optional(),
    purpose: inputs.purpose.optional(),
  }),
  output: AskedLeaseOutput,
  async run({ ref, action, ttl_seconds, purpose }, context) {
    if (action === "renew" && ttl_seconds === undefined)
      throw new ToolError("invalid arguments: ttl_seconds: renew needs it");
    if (action === "release" && ttl_seconds !== undefined)
      throw new ToolError("invalid arguments: ttl_seconds: release takes none");
    if (action !== "acquire" && purpose !== undefined)
      throw new ToolError(`invalid arguments: purpose: ${action} takes none`);
    const issue = await fixedIssue(ref, false, context);
    if (action === "acquire") return await acquire(issue, { ttl_seconds, purpose }, context);
    const { params } = issue;
    const body = { holder: context.actor, actor: context.actor };
    if (action === "release") {
      const answer = await context.call(releaseIssueLease, { params, body });
      return leaseOf(issue, answer, context.scope, false);
    }
    const answer = await context.call(renewIssueLease, { params, body: { ...body, ttl_seconds } });
    return leaseOf(issue, answer, context.scope, true);
  },
});

export interface WantedLease {
  readonly ttl_seconds?: number | undefined;
  readonly purpose?: string | undefined;
}

/** Acquires a lease. If somebody else holds the lease, this does not fail, and the answer names the holder. */
export async function acquire(
  issue: FixedIssue,
  { ttl_seconds, purpose }: WantedLease,
  { scope, call, actor }: ToolContext,
) {
  const answer = await call(acquireIssueLease, {
    params: issue.params,
    body: {
      holder: actor,
      client_kind: CLIENT_KIND,
      claim_kind: ttl_seconds === undefined ? ("hard" as const) : ("timed" as const),
      ttl_seconds,
      purpose,
      actor,
    },
  });
  return leaseOf(issue, answer, scope, answer.pending !== true);
}
