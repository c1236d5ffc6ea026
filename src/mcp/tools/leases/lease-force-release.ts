import { z } from "zod";
import { forceReleaseIssueLease, getIssueLeaseStatus } from "../../../contract/leases.ts";
import { type FixedIssue, fixedIssue } from "../../confirmed.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { LeaseOutput, leaseOf } from "./lease-output.ts";

export const leaseForceRelease = tool({
  name: "svc.lease_force_release",
  title: "End another's lease",
  description: "Ends a lease that somebody else holds; use it only when the holder is gone.",
  annotations: CHANGES,
  input: z.strictObject({ ref: inputs.ref, reason: inputs.reason }),
  output: LeaseOutput,
  async run({ ref, reason }, context) {
    const issue = await fixedIssue(ref, false, context);
    const { held } = await context.call(getIssueLeaseStatus, { params: issue.params });
    if (!held) throw new ToolError("nobody holds a lease of the issue, so there is none to end");
    return await forceRelease(issue, reason, context);
  },
});

/** Ends the lease of an issue, whoever holds it. The answer names the former holder. */
export async function forceRelease(
  issue: FixedIssue,
  reason: string,
  { scope, call, actor }: ToolContext,
) {
  const { params } = issue;
  const before = await call(getIssueLeaseStatus, { params });
  const answer = await call(forceReleaseIssueLease, { params, body: { reason, actor } });
  const previous = before.holder?.holder;
  return {
    ...leaseOf(issue, answer, scope, false),
    ...(previous === undefined ? {} : { previous_holder: previous }),
  };
}
