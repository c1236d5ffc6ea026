import type { getIssueLeaseStatus as contract } from "../../contract/leases.ts";
import { hasExpired, isUnreleased, principalOf } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { leaseOut } from "../out/leases.ts";
import { currentLease } from "./lease-request.ts";

/** Shows the lease. Writes only to end a lease that has expired. */
export const getIssueLeaseStatus: Op<typeof contract> = async (deps, _who, { params }) => {
  const now = await deps.store.leaseNow();
  const read = await deps.store.read(async (reader) => {
    const { issue } = await requireIssue(reader, params);
    return { issue, lease: await reader.leases.of(issue.uid) };
  });
  if (!isUnreleased(read.lease) || !hasExpired(read.lease, now))
    return statusOut(read.issue, read.lease, now);
  return await deps.store.write(async (tx) => {
    const { issue } = await requireIssue(tx, params);
    return statusOut(issue, await currentLease(tx, issue), await tx.leaseNow());
  });
};

/** Returns the lease as the answer shows it. A lease that has ended is shown too, with its fence and how it ended. */
function statusOut(issue: StoredIssue, lease: LeaseRow | undefined, now: string) {
  const held = isUnreleased(lease);
  return {
    held,
    ...(held ? { holder: principalOf(lease) } : {}),
    ...(lease === undefined ? {} : { lease: leaseOut(lease, issue) }),
    hub_now: now,
  };
}
