import { SvcError } from "../../contract/errors.ts";
import type { acquireIssueLease } from "../../contract/leases.ts";
import type { Output } from "../../contract/route.ts";
import { leaseReleased, leaseRenewed } from "../../domain/drafts/leases.ts";
import { wireOf } from "../../domain/federation/wire.ts";
import {
  checkRenewal,
  checkTerms,
  EXPIRED,
  isHolder,
  isUnreleased,
  requireHolder,
} from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps, Principal } from "../deps.ts";
import type { Replica } from "../federation/bound-replica.ts";
import { type FoundIssue, requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { grantedOut } from "../out/leases.ts";
import { type AskingDeps, askForLease, giveBack } from "./ask-hub.ts";
import { copyIn, leasesNotPermitted } from "./copy.ts";
import { type AnsweredByHub, type HubLeaseAnswer, refusedByHub } from "./hub-leases.ts";
import { isNoSuchLease } from "./hub-refusals.ts";
import { type LeaseRequest, leaseUnderFence, requesterOf, requireLease } from "./lease-request.ts";
import { confirmReservation, type ReservedIssue, refuseReserved, reserve } from "./reserve.ts";
import { storeHubLease } from "./store-hub-lease.ts";

type Answer = Output<typeof acquireIssueLease>;
type Needs = AskingDeps & Pick<Deps, "fence">;

/**
 * Acquires the lease of an issue of a copy (docs/contract/federation.md#9-leases). The local lease decides between the
 * agents of this daemon, and the hub's lease decides between its spokes. If the hub gives no answer, the request is
 * kept and the next pass repeats it.
 */
export async function acquireOnHub(
  deps: Needs,
  who: Principal,
  input: LeaseRequest,
  { project_uid }: Pick<Replica, "project_uid">,
): Promise<Answer> {
  if (!(await deps.hubLeases.permits(project_uid))) throw leasesNotPermitted({ project_uid });
  const { actor, holder } = requesterOf(who, input, deps.store.instanceUid);
  const { claim_kind = "hard", ttl_seconds, purpose = "" } = input.body;
  const terms = { claim_kind, ttl_seconds, purpose };
  checkTerms(terms);
  const begun = await deps.store.write(async (tx): Promise<Begun> => {
    const { replica, ...found } = await copyOf(tx, input);
    const known = await leaseUnderFence(tx, found.issue, deps.fence);
    if (!isUnreleased(known))
      return { reserved: await reserve(deps, tx, { replica, ...found }, { actor, holder, terms }) };
    await refuseReserved(tx, known);
    return { answer: grantedOut(known, found.issue, isHolder(known, holder)) };
  });
  if ("answer" in begun) return begun.answer;
  const { reserved } = begun;
  const asked = await askForLease(deps, reserved, terms, { waits: true });
  if (asked.outcome === "silent")
    return { granted: false, pending: true, request_uid: reserved.lease.claim_uid };
  if (asked.outcome === "denied") return deniedOut(reserved.issue, asked.answered);
  const confirmed = await deps.store.write(
    async (tx) => await confirmReservation(tx, reserved, { actor, terms }, asked.answered),
  );
  if (confirmed === undefined) {
    await giveBack(deps, reserved);
    throw new SvcError("busy");
  }
  const { issue, project } = reserved;
  const event = eventOut(confirmed.event, project, { issue });
  return { ...grantedOut(confirmed.lease, issue, true), event };
}

type Begun = { readonly answer: Answer } | { readonly reserved: ReservedIssue };

/**
 * Returns the issue of a request, and its copy. Throws `busy` if the project has stopped being a copy since the request
 * began.
 */
async function copyOf(
  tx: Tx,
  input: LeaseRequest,
): Promise<FoundIssue & { readonly replica: Replica }> {
  const found = await requireIssue(tx, input.params);
  const replica = await copyIn(tx, found.project);
  if (replica === undefined) throw new SvcError("busy");
  return { ...found, replica };
}

function deniedOut({ project_id }: StoredIssue, answered: AnsweredByHub | undefined): Answer {
  if (answered === undefined)
    throw refusedByHub({ outcome: "refused", status: 404, code: "issue_not_found" });
  const { holder, lease } = answered.answer;
  return {
    granted: false,
    ...(holder === undefined ? {} : { holder }),
    ...(lease === undefined ? {} : { lease: { ...lease, project_id } }),
  };
}

/** Renews the lease at the hub, then here. If the hub does not have the lease any more, the lease ends here too. */
export async function renewOnHub(
  deps: Needs,
  who: Principal,
  input: LeaseRequest,
): Promise<Answer> {
  const { actor, holder } = requesterOf(who, input, deps.store.instanceUid);
  const begun = await deps.store.write(async (tx) => {
    const { issue, replica } = await copyOf(tx, input);
    const known = await leaseUnderFence(tx, issue, deps.fence);
    const hasOwnExpired = known?.release_reason === EXPIRED && isHolder(known, holder);
    // Return instead of throwing: the end of the expired lease must be committed.
    if (hasOwnExpired) return "expired";
    const lease = requireHolder(known, holder);
    await refuseReserved(tx, lease);
    return { issue, replica, lease, ttl: checkRenewal(lease, input.body.ttl_seconds) };
  });
  if (begun === "expired") throw new SvcError("claim_expired");
  const { issue, replica, lease, ttl } = begun;
  const body = { claim_uid: lease.claim_uid, ttl_seconds: ttl };
  const asked = await deps.hubLeases.ask(replica, { action: "renew", issue_uid: issue.uid, body });
  if (asked.outcome === "refused") {
    if (isNoSuchLease(asked)) await endHere(deps, issue, lease);
    throw refusedByHub(asked);
  }
  const renewed = await deps.store.write(async (tx) => {
    const held = await tx.leases.of(issue.uid);
    if (!isUnreleased(held) || held.claim_uid !== lease.claim_uid) return undefined;
    const left = ttl - asked.waited_ms / 1000;
    await tx.append(leaseRenewed(issue, held, left, { actor, now: await tx.leaseNow() }));
    await storeHubLease(tx, replica, asked.answer);
    return grantedOut(await requireLease(tx, issue), issue, true);
  });
  if (renewed === undefined) throw new SvcError("claim_expired");
  return renewed;
}

async function endHere({ store }: Needs, issue: StoredIssue, lease: LeaseRow): Promise<void> {
  await store.write(async (tx) => {
    const held = await tx.leases.of(issue.uid);
    if (!isUnreleased(held) || held.claim_uid !== lease.claim_uid) return;
    const act = { actor: held.holder, now: await tx.leaseNow() };
    await tx.append(leaseReleased(issue, held, "ended at the hub", act));
    await tx.unfolded.remove("mirrored_lease", { issue_uid: issue.uid });
  });
}

/** How many of the newest events of an issue are searched for one that is sent to the hub. */
const SEARCHED = 100;

/** The id of the last change of the issue that was made here and that is sent to the hub; 0 if there is none. */
async function lastChange(tx: Tx, { uid }: StoredIssue, instanceUid: string): Promise<number> {
  const newest = await tx.events.lastOfIssue(uid, SEARCHED);
  const change = newest.find(
    ({ type, origin_instance_uid: origin }) => origin === instanceUid && wireOf(type) !== undefined,
  );
  return change?.id ?? 0;
}

/** Throws unless the hub accepts the changes up to this event: the next holder of the lease must get these changes. */
async function requireSent(
  { hubLeases }: Pick<Needs, "hubLeases">,
  project_uid: string,
  event_id: number,
): Promise<void> {
  if (await hubLeases.sent(project_uid, event_id)) return;
  throw new SvcError(
    "federation_offline",
    { reason: "unsent" },
    {
      message: "the lease stays: the hub has not accepted yet what was changed under it",
      hint: "repeat the release once it has: svc federation status shows what is unsent",
    },
  );
}

/**
 * Releases the lease at the hub, and then here. First, the hub must accept the changes that were made here under the
 * lease. If the hub does not have the lease any more, the lease ends here all the same.
 */
export async function releaseOnHub(
  deps: Needs,
  who: Principal,
  input: LeaseRequest,
): Promise<Answer> {
  const { actor, holder } = requesterOf(who, input, deps.store.instanceUid);
  const { issue, replica, lease, change } = await deps.store.write(async (tx) => {
    const found = await copyOf(tx, input);
    const held = requireHolder(await leaseUnderFence(tx, found.issue, deps.fence), holder);
    await refuseReserved(tx, held);
    const last = await lastChange(tx, found.issue, deps.store.instanceUid);
    return { ...found, lease: held, change: last };
  });
  await requireSent(deps, replica.project_uid, change);
  const { reason } = input.body;
  const body = { claim_uid: lease.claim_uid, ...(reason === undefined ? {} : { reason }) };
  const request = { action: "release", issue_uid: issue.uid, body } as const;
  const asked: HubLeaseAnswer = await deps.hubLeases.ask(replica, request);
  if (asked.outcome === "refused" && !isNoSuchLease(asked)) throw refusedByHub(asked);
  const answer = await deps.store.write(async (tx) => {
    const found = await requireIssue(tx, input.params);
    const held = await tx.leases.of(issue.uid);
    if (!isUnreleased(held) || held.claim_uid !== lease.claim_uid) return undefined;
    const act = { actor, now: await tx.leaseNow() };
    const event = await tx.append(leaseReleased(issue, held, reason, act));
    await tx.unfolded.remove("mirrored_lease", { issue_uid: issue.uid });
    const shown = eventOut(event, found.project, { issue: found.issue });
    return { ...grantedOut(await requireLease(tx, issue), issue, false), event: shown };
  });
  if (answer === undefined) throw new SvcError("claim_expired");
  return answer;
}
