import type { HubLeaseAnswer } from "./hub-leases.ts";

/** What a hub says if the lease that a request names is not there, or its issue is not. */
const ABSENT: ReadonlySet<string> = new Set(["claim_not_held", "claim_expired", "issue_not_found"]);

/** Whether the hub refused because it has no such lease, so that there is nothing to release there. */
export function isNoSuchLease(answer: HubLeaseAnswer): boolean {
  return answer.outcome === "refused" && answer.code !== undefined && ABSENT.has(answer.code);
}
