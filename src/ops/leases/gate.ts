import { invalidField } from "../../contract/errors.ts";
import { isGated } from "../../domain/leased-events.ts";
import { checkFence, checkLease, isUnreleased, type LeaseHolder } from "../../domain/leases.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx, WriteGuard } from "../../store/types/store.ts";
import type { Deps, Principal, UngatedDeps } from "../deps.ts";
import { type IssueParams, requireIssue } from "../find.ts";
import { withGuard } from "../guarded.ts";
import { requireActiveToken } from "../tokens/require-active.ts";
import { HubGate } from "./refresh.ts";

/**
 * Returns the deps with a store that checks each write about an issue against the issue's lease
 * (docs/contract/http-api.md#68-leases), so that no operation can avoid the check.
 *
 * - On a copy, the lease that the hub has given another daemon counts too (`refresh.ts`).
 * - Creations, events that only record what an import read, and the leases' own events are never checked.
 * - Comments and requests for attention are checked only if the request has a fence.
 * - A request with a fence is checked against the issue that `path` names even if nothing changes, unless the request
 *   repeats an earlier one.
 * - Actions on a lease compare the fence in `deps` themselves.
 *
 * Before each write, the token of the caller is checked again: it may have been revoked after the request arrived.
 */
export function underLease(
  { store, ...deps }: UngatedDeps,
  who: Principal,
  header: string | undefined,
  path?: IssueParams,
): Deps {
  const fence = fenceOf(header);
  const hub = new HubGate(withGuard(store, {}), deps.hubLeases);
  const gate = leaseGate(store.instanceUid, fence, path, hub);
  const begin = async (tx: Tx): Promise<void> => await requireActiveToken(tx, who);
  const guard = who.tokenId === undefined ? gate : { ...gate, begin };
  return { ...deps, fence, store: hub.over(withGuard(store, guard)) };
}

function leaseGate(
  instanceUid: string,
  fence: number | undefined,
  path: IssueParams | undefined,
  hub: HubGate,
): WriteGuard {
  const holderOf = (actor: string) => ({ holder: actor, holder_instance_uid: instanceUid });
  return {
    append: async (tx, draft) => {
      const { issue_uid, actor } = draft;
      if (issue_uid === undefined || !isGated(draft, fence !== undefined)) return;
      await requireLease(tx, issue_uid, holderOf(actor), fence);
      await hub.check(tx, issue_uid);
    },
    purgeIssue: async (tx, { uid }, { actor }) =>
      await requireLease(tx, uid, holderOf(actor), fence),
    unchanged: async (tx) => {
      if (fence === undefined || path === undefined) return;
      const { issue } = await requireIssue(tx, path, { deleted: true });
      checkFence(await tx.lease(issue.uid), fence, await tx.leaseNow());
    },
  };
}

/** Throws if the lease refuses the write. Reads the time only if there is a lease or a fence to check. */
async function requireLease(
  tx: Tx,
  issueUid: string,
  who: LeaseHolder,
  fence: number | undefined,
): Promise<void> {
  const lease = await tx.lease(issueUid);
  if (fence === undefined && !isUnreleased(lease)) return;
  checkLease(lease, who, { now: await tx.leaseNow(), fence });
}

/**
 * Throws if the issue's lease refuses the write. Called by an operation that must check the lease before it checks
 * anything else.
 */
export async function requireWritable(
  tx: Tx,
  issue: Pick<StoredIssue, "uid">,
  by: { readonly actor: string; readonly instanceUid: string; readonly fence?: number | undefined },
): Promise<void> {
  const who = { holder: by.actor, holder_instance_uid: by.instanceUid };
  await requireLease(tx, issue.uid, who, by.fence);
}

function fenceOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(header)) return Number(header);
  throw invalidField("X-Svc-Fence", "must be the fence of a lease, a whole number");
}
