import type { getIssueLeaseStatus as contract } from "../../contract/leases.ts";
import { hasExpired, isUnreleased, principalOf } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { leaseOut } from "../out/leases.ts";
import { currentLease, forSpoke, requireSpoke } from "./lease-request.ts";

/** Shows the lease. Writes only to end a lease that has expired. */
export const getIssueLeaseStatus: Op<typeof contract> = async (deps, who, { params, headers }) => {
  const now = await deps.store.leaseNow();
  const issueIn = async (reader: Reader): Promise<StoredIssue> => {
    if (who.kind === "enrollment") await requireSpoke(reader, who, { params, headers });
    return (await requireIssue(reader, params)).issue;
  };
  const shown = async (issue: StoredIssue, lease: LeaseRow | undefined, at: string) => {
    const seen = await forSpoke({ leaseNow: async () => await Promise.resolve(at) }, who, issue);
    return { ...statusOut(issue, lease, at), ...seen };
  };
  const read = await deps.store.read(async (reader) => {
    const issue = await issueIn(reader);
    return { issue, lease: await reader.leases.of(issue.uid) };
  });
  if (!isUnreleased(read.lease) || !hasExpired(read.lease, now))
    return await shown(read.issue, read.lease, now);
  return await deps.store.write(async (tx) => {
    const issue = await issueIn(tx);
    return await shown(issue, await currentLease(tx, issue), await tx.leaseNow());
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
