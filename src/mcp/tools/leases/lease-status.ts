import { z } from "zod";
import { getIssueLeaseStatus } from "../../../contract/leases.ts";
import { fixedIssue } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { READS, tool } from "../../tool.ts";
import { LeaseOutput, leaseOf } from "./lease-output.ts";

export const leaseStatus = tool({
  name: "svc.lease_status",
  title: "Lease of an issue",
  description: "Who holds an issue's lease, until when.",
  annotations: READS,
  input: z.strictObject({ ref: inputs.ref }),
  output: LeaseOutput.extend({ hub_asked: z.boolean().optional() }),
  async run({ ref }, context) {
    const issue = await fixedIssue(ref, false, context);
    const answer = await context.call(getIssueLeaseStatus, { params: issue.params });
    const lease = leaseOf(issue, answer, context.scope, answer.held);
    return answer.hub_asked === false ? { ...lease, hub_asked: false as const } : lease;
  },
});
