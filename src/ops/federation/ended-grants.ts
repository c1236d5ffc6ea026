import type { EventDraft } from "../../contract/events.ts";
import { leaseReleased } from "../../domain/drafts/leases.ts";
import { isUnreleased } from "../../domain/leases.ts";
import type { Tx } from "../../store/types/store.ts";
import type { OpStore } from "../deps.ts";

/** How many leases are checked in one write. */
const PAGE = 100;

/**
 * Ends the leases of a spoke in the projects for which none of its enrollments permits leases any more: the spoke could
 * neither renew nor return them (docs/contract/federation.md#5-leave). Called after an enrollment was revoked. If a
 * call fails halfway, another call ends the remaining leases.
 */
export async function endLeasesOf(
  store: Pick<OpStore, "write">,
  spoke_instance_uid: string,
): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    after = await store.write(async (tx) => await endPage(tx, spoke_instance_uid, from));
  }
}

/** Returns the id after which the next page begins; undefined if there is none. */
async function endPage(tx: Tx, spoke: string, after: number): Promise<number | undefined> {
  const page = await tx.federation.leasesOfSpoke(spoke, after, PAGE);
  if (page.length === 0) return undefined;
  const grants = await tx.federation.grantsTo(spoke);
  const permitted = new Set(
    grants
      .filter(({ capabilities }) => capabilities.includes("claim"))
      .map(({ project_uid }) => project_uid),
  );
  const ended = page.filter(({ project_uid }) => {
    return !permitted.has(project_uid) && !permitted.has(null);
  });
  const uids = ended.map(({ issue_uid }) => issue_uid);
  await tx.preload({ rows: { lease: uids } });
  const issues = await tx.issues.many(uids);
  const now = await tx.leaseNow();
  const drafts: EventDraft[] = [];
  for (const uid of uids) {
    const [issue, lease] = [issues.get(uid), await tx.lease(uid)];
    if (issue === undefined || !isUnreleased(lease)) continue;
    drafts.push(leaseReleased(issue, lease, "enrollment revoked", { actor: lease.holder, now }));
  }
  await tx.appendAll(drafts);
  return page.length < PAGE ? undefined : page.at(-1)?.id;
}
