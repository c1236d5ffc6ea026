import { z } from "zod";
import { fixedIssue } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { acquire } from "./lease.ts";
import { forceRelease } from "./lease-force-release.ts";
import { AskedLeaseOutput } from "./lease-output.ts";

export const leaseSteal = tool({
  name: "svc.lease_steal",
  title: "Take over a lease",
  description:
    "Acquires the lease of an issue even if somebody else holds it; theirs ends. A lease that you hold already stays.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    reason: inputs.reason,
    ttl_seconds: inputs.leaseSeconds.optional(),
    purpose: inputs.purpose.optional(),
  }),
  output: AskedLeaseOutput,
  async run({ ref, reason, ttl_seconds, purpose }, context) {
    const issue = await fixedIssue(ref, false, context);
    const wanted = { ttl_seconds, purpose };
    const first = await acquire(issue, wanted, context);
    if (first.granted !== false) return first;
    const { previous_holder } = await forceRelease(issue, reason, context);
    const second = await acquire(issue, wanted, context);
    return { ...second, ...(previous_holder === undefined ? {} : { previous_holder }) };
  },
});
