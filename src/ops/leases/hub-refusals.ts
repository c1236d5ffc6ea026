import type { HubLeaseAnswer } from "./hub-leases.ts";

/** The codes of a hub that does not have the lease or the issue that a request names. */
const ABSENT: ReadonlySet<string> = new Set(["claim_not_held", "claim_expired", "issue_not_found"]);

/** Whether the hub refused because it does not have the lease: then there is nothing to release there. */
export function isNoSuchLease(answer: HubLeaseAnswer): boolean {
  return answer.outcome === "refused" && answer.code !== undefined && ABSENT.has(answer.code);
}
