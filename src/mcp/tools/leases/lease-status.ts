import { z } from "zod";
import { getIssueLeaseStatus } from "../../../contract/leases.ts";
import * as inputs from "../../inputs.ts";
import { tool } from "../../tool.ts";
import { LeaseOutput, leaseOf } from "./lease-output.ts";

export const leaseStatus = tool({
  name: "svc.lease_status",
  title: "Lease of an issue",
  description: "Who holds the lease of an issue, and until when.",
  hints: "+-+-",
  input: z.strictObject({ ref: inputs.ref }),
  output: LeaseOutput,
  async run({ ref }, { scope, call }) {
    const issue = await scope.issue(ref);
    const answer = await call(getIssueLeaseStatus, { params: issue.params });
    return leaseOf(issue, answer, scope, answer.held);
  },
});
