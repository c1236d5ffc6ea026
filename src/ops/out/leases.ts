import { principalOf } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";

/** A lease, as answers contain it. */
export function leaseOut(lease: LeaseRow, issue: Pick<StoredIssue, "project_id">) {
  const { expires_at, released_at, release_reason } = lease;
  return {
    claim_uid: lease.claim_uid,
    project_id: issue.project_id,
    issue_uid: lease.issue_uid,
    ...principalOf(lease),
    purpose: lease.purpose,
    claim_kind: lease.claim_kind,
    fence: lease.fence,
    acquired_at: lease.acquired_at,
    ...(expires_at === null ? {} : { expires_at }),
    ...(released_at === null ? {} : { released_at }),
    ...(release_reason === null ? {} : { release_reason }),
    revision: lease.revision,
    updated_at: lease.updated_at,
  };
}

/** The answer to a request for a lease. */
export function grantedOut(lease: LeaseRow, issue: StoredIssue, granted: boolean) {
  return { granted, holder: principalOf(lease), lease: leaseOut(lease, issue) };
}
