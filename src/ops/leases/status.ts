import type { getIssueLeaseStatus as contract } from "../../contract/leases.ts";
import type { Output } from "../../contract/route.ts";
import { hasExpired, isUnreleased, principalOf } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import type { Replica } from "../federation/bound-replica.ts";
import { type FoundIssue, requireIssue } from "../find.ts";
import { leaseOut } from "../out/leases.ts";
import type { AskingDeps } from "./ask-hub.ts";
import { copyIn, withHubs } from "./copy.ts";
import { refusedByHub } from "./hub-leases.ts";
import { isNoSuchLease } from "./hub-refusals.ts";
import { isCopy } from "./known-at-hub.ts";
import { currentLease, forSpoke, requireSpoke } from "./lease-request.ts";
import { storeHubLease } from "./store-hub-lease.ts";

/** Returns the lease. Writes only to end an expired lease, and to store the answer of a copy's hub. */
export const getIssueLeaseStatus: Op<typeof contract, "store" | "ids" | "hubLeases"> = async (
  deps,
  who,
  { params, headers },
) => {
  const now = await deps.store.leaseNow();
  const foundIn = async (reader: Reader): Promise<FoundIssue> => {
    if (who.kind === "enrollment") await requireSpoke(reader, who, { params, headers });
    return await requireIssue(reader, params);
  };
  const shown = async (
    { issue, unasked }: { readonly issue: StoredIssue; readonly unasked: boolean },
    lease: LeaseRow | undefined,
    at: string,
  ) => {
    const seen = await forSpoke({ leaseNow: async () => await Promise.resolve(at) }, who, issue);
    const notAsked = unasked ? { hub_asked: false as const } : {};
    return { ...statusOut(issue, lease, at), ...notAsked, ...seen };
  };
  const read = await deps.store.read(async (reader) => {
    const { issue, project } = await foundIn(reader);
    const replica = await copyIn({ unfolded: reader.unfolded, hasCopies: true }, project);
    const unasked = await isCopy(reader, project.uid);
    return { issue, replica, unasked, lease: await reader.leases.of(issue.uid) };
  });
  const { replica } = read;
  if (replica !== undefined && (await deps.hubLeases?.permits(replica.project_uid)) === true)
    return await statusAtHub(withHubs(deps), read.issue, replica);
  if (!isUnreleased(read.lease) || !hasExpired(read.lease, now))
    return await shown(read, read.lease, now);
  return await deps.store.write(async (tx) => {
    const { issue } = await foundIn(tx);
    const { unasked } = read;
    return await shown({ issue, unasked }, await currentLease(tx, issue), await tx.leaseNow());
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

/**
 * Asks the hub of a copy who has the lease. If this daemon has it, the answer names the holder here, whom the hub does
 * not know.
 */
async function statusAtHub(
  deps: AskingDeps,
  issue: StoredIssue,
  replica: Replica,
): Promise<Output<typeof contract>> {
  const asked = await deps.hubLeases.ask(replica, { action: "status", issue_uid: issue.uid });
  if (asked.outcome === "refused" && !isNoSuchLease(asked)) throw refusedByHub(asked);
  return await deps.store.write(async (tx) => {
    const own = await currentLease(tx, issue);
    const now = await tx.leaseNow();
    // The hub does not know an issue that was made here and not sent yet, so nobody else can have its lease.
    if (asked.outcome === "refused") return statusOut(issue, own, now);
    await storeHubLease(tx, replica, asked.answer);
    const { held = false, holder, lease, hub_now = now } = asked.answer;
    if (own !== undefined && lease?.claim_uid === own.claim_uid) return statusOut(issue, own, now);
    return {
      held,
      ...(holder === undefined ? {} : { holder }),
      ...(lease === undefined ? {} : { lease: { ...lease, project_id: issue.project_id } }),
      hub_now,
    };
  });
}
