import { instantToMs } from "../../base/clock.ts";
import { leaseAcquired, leaseReleased } from "../../domain/drafts/leases.ts";
import { isLeased, isUnreleased } from "../../domain/leases.ts";
import type { MirroredLease, PendingLease } from "../../store/types/federation.ts";
import type { Tx } from "../../store/types/store.ts";
import type { OpStore } from "../deps.ts";
import type { Replica } from "../federation/bound-replica.ts";
import { CLAIM_SECONDS, unacceptedClaim } from "./claim-on-hub.ts";
import type { AnsweredByHub, HubLeaseRequest } from "./hub-leases.ts";
import { isNoSuchLease } from "./hub-refusals.ts";
import { currentLease } from "./lease-request.ts";
import { endOf, RESERVED_SECONDS } from "./reserve.ts";
import { isHeldAtHub, storeHubLease } from "./store-hub-lease.ts";

type Reply =
  | Omit<AnsweredByHub, "waited_ms">
  | { readonly outcome: "refused"; readonly status: number; readonly code: string | undefined };

/** Asks the hub of the copy. Throws if it gives no answer, which ends the pass. */
export type AskInPass = (request: HubLeaseRequest) => Promise<Reply>;

interface Settling {
  readonly store: OpStore;
  readonly replica: Replica;
  /** Whether the enrollment permits leases. If not, all open requests are dropped. */
  readonly permits: boolean;
  readonly ask: AskInPass;
  stopwatch(): () => number;
}

/**
 * Settles with the hub of a copy, at each pass, what requests have left open: gives back leases that nobody here uses,
 * repeats requests that wait for an answer, and ends leases here that the hub has ended.
 */
export async function settleLeases(settling: Settling): Promise<void> {
  const { store, replica, permits } = settling;
  const { project_uid } = replica;
  const { rows, held } = await store.read(async (reader) => ({
    rows: await reader.federation.pendingLeases(project_uid),
    held: await reader.federation.heldAtHub(project_uid, store.instanceUid),
  }));
  if (rows.length === 0 && held.length === 0) return;
  if (!permits) {
    await store.write(async (tx) => {
      for (const { request_uid } of rows)
        await tx.unfolded.remove("pending_lease", { request_uid });
      for (const { issue_uid } of held) await tx.unfolded.remove("mirrored_lease", { issue_uid });
    });
    return;
  }
  const now = instantToMs(await store.leaseNow());
  for (const row of rows) {
    if (row.rejected_at !== null) await returnPending(settling, row);
    else if (row.last_error !== null) await askAgain(settling, row);
    else if (now - instantToMs(row.requested_at) > RESERVED_SECONDS * 1000)
      await returnPending(settling, row, "abandoned");
  }
  for (const lease of held) await settleHeld(settling, lease);
}

/**
 * Gives back the leases that have protected the claims of this daemon. Called once the events of this daemon are sent.
 */
export async function returnClaimed(settling: Settling): Promise<void> {
  const { store, replica, permits } = settling;
  if (!permits) return;
  const held = await store.read(
    async (reader) => await reader.federation.heldAtHub(replica.project_uid, store.instanceUid),
  );
  for (const lease of held) await settleHeld(settling, lease, "unused");
}

/**
 * Gives back the lease that the hub may have granted for a request. The caller of the request was told that there is no
 * lease, or is gone.
 */
async function returnPending(
  { store, ask }: Settling,
  { request_uid, issue_uid }: PendingLease,
  why: "rejected" | "abandoned" = "rejected",
): Promise<void> {
  if (why === "abandoned" && !(await reject(store, request_uid))) return;
  const reply = await ask({ action: "release", issue_uid, body: { claim_uid: request_uid } });
  if (reply.outcome === "refused" && reply.status >= 500) return;
  await store.write(async (tx) => {
    await tx.unfolded.remove("pending_lease", { request_uid });
    await forgetMirror(tx, issue_uid, request_uid);
  });
}

/**
 * Marks a request that may still be under way, so that it cannot be confirmed. Returns false if it has ended already.
 */
async function reject(store: OpStore, request_uid: string): Promise<boolean> {
  return await store.write(async (tx) => {
    const row = await tx.unfolded.find("pending_lease", { request_uid });
    if (row === undefined) return false;
    await tx.unfolded.put("pending_lease", { ...row, rejected_at: tx.now });
    return true;
  });
}

/**
 * Why a waiting request must not be repeated now: if the hub granted it, another holder on this daemon would lose its
 * lease or claim.
 */
async function whatBlocks(
  { store, replica }: Settling,
  { issue_uid: uid }: PendingLease,
): Promise<"lease" | "claim" | undefined> {
  const { instanceUid } = store;
  const now = await store.leaseNow();
  return await store.read(async (reader) => {
    if (isLeased(await reader.leases.of(uid), now)) return "lease";
    const claim = await unacceptedClaim(
      reader,
      { uid, project_uid: replica.project_uid },
      instanceUid,
    );
    return claim === undefined ? undefined : "claim";
  });
}

/**
 * Repeats a request that waits for an answer. If the hub denies or refuses it, or if an agent of this daemon has a
 * lease of the issue now, the request ends. While the hub has not accepted a claim of the issue, the request goes on
 * waiting.
 */
async function askAgain(settling: Settling, row: PendingLease): Promise<void> {
  const { store, ask, replica } = settling;
  const { request_uid, issue_uid, claim_kind, ttl_seconds, purpose } = row;
  const found = await whatBlocks(settling, row);
  if (found === "claim") return;
  if (found === "lease") return await returnPending(settling, row);
  const fence =
    ((await store.read(async ({ leases }) => await leases.of(issue_uid)))?.fence ?? 0) + 1;
  const waited = settling.stopwatch();
  const timed = ttl_seconds === null ? {} : { ttl_seconds };
  const body = { claim_uid: request_uid, claim_kind, ...timed, purpose, fence };
  const reply = await ask({ action: "acquire", issue_uid, body });
  if (reply.outcome === "refused" && reply.status >= 500) return;
  const granted = reply.outcome === "answered" && reply.answer.granted === true;
  const isHeld = await store.write(async (tx) => {
    if (!granted) {
      await tx.unfolded.remove("pending_lease", { request_uid });
      return false;
    }
    const isTaken = await takeGranted(tx, row, reply, waited());
    if (isTaken) {
      await tx.unfolded.remove("pending_lease", { request_uid });
      await storeHubLease(tx, replica, reply.answer);
    } else await tx.unfolded.put("pending_lease", { ...row, rejected_at: tx.now });
    return isTaken;
  });
  if (granted && !isHeld) await returnPending(settling, row);
}

/**
 * Writes the lease that the hub has now granted. Returns false if the issue is gone, or if somebody here has another
 * lease.
 */
async function takeGranted(
  tx: Tx,
  { issue_uid, request_uid, ...row }: PendingLease,
  { answer }: Omit<AnsweredByHub, "waited_ms">,
  waited_ms: number,
): Promise<boolean> {
  const issue = await tx.issues.find(issue_uid);
  if (issue === undefined || issue.deleted_at !== null) return false;
  const known = await currentLease(tx, issue);
  if (isUnreleased(known)) return false;
  const { holder, holder_instance_uid, client_kind, claim_kind, ttl_seconds, purpose } = row;
  const who = { holder, holder_instance_uid, client_kind };
  const terms = { claim_kind, ttl_seconds: ttl_seconds ?? undefined, purpose };
  const wish = { claim_uid: request_uid, who, terms, known, least: answer.lease?.fence };
  const now = await tx.leaseNow();
  const draft = leaseAcquired(issue, wish, { actor: holder, now });
  const expires_at = endOf(now, terms.ttl_seconds, waited_ms);
  const timed = expires_at === undefined ? {} : { expires_at };
  await tx.append({ ...draft, payload: { ...draft.payload, ...timed } });
  return true;
}

/**
 * Compares a lease that the hub has granted with the lease here. If nobody here has the lease any more, gives it back;
 * if the hub has ended the lease, ends it here.
 */
async function settleHeld(
  settling: Settling,
  held: MirroredLease,
  which: "all" | "unused" = "all",
): Promise<void> {
  const { store, ask, replica } = settling;
  const { issue_uid, claim_uid } = held;
  const isUsed = async (tx: Pick<Tx, "leases">, now: string): Promise<boolean> => {
    const own = await tx.leases.of(issue_uid);
    return isLeased(own, now) && own.claim_uid === claim_uid;
  };
  const now = await store.leaseNow();
  const used = await store.read(async (reader) => await isUsed(reader, now));
  if (used && which === "unused") return;
  const { project_uid } = replica;
  const claim = await store.read(
    async (reader) =>
      await unacceptedClaim(reader, { uid: issue_uid, project_uid }, store.instanceUid),
  );
  if (!used && claim !== undefined) return await keepForClaim(settling, held, claim);
  if (!used && !isHeldAtHub(held, now)) {
    await store.write(async (tx) => await forgetMirror(tx, issue_uid, claim_uid));
    return;
  }
  const reply = await ask(
    used ? { action: "status", issue_uid } : { action: "release", issue_uid, body: { claim_uid } },
  );
  if (reply.outcome === "refused" && !isNoSuchLease(reply)) return;
  await store.write(async (tx) => {
    if (!used) return await forgetMirror(tx, issue_uid, claim_uid);
    const at = reply.outcome === "answered" ? reply.answer : undefined;
    const isStill = at?.held === true && at.lease?.claim_uid === claim_uid;
    if (isStill) return await storeHubLease(tx, replica, at);
    await forgetMirror(tx, issue_uid, claim_uid);
    const [issue, own] = [await tx.issues.find(issue_uid), await tx.leases.of(issue_uid)];
    if (issue === undefined || !isUnreleased(own) || own.claim_uid !== claim_uid) return;
    const act = { actor: own.holder, now: await tx.leaseNow() };
    await tx.append(leaseReleased(issue, own, "ended at the hub", act));
  });
}

async function forgetMirror(tx: Tx, issue_uid: string, claim_uid: string): Promise<void> {
  const known = await tx.unfolded.find("mirrored_lease", { issue_uid });
  if (known?.claim_uid === claim_uid) await tx.unfolded.remove("mirrored_lease", { issue_uid });
}

/**
 * Renews the lease that protects an issue until the hub knows its new owner. If the hub has ended the lease, somebody
 * else may have got the issue, so the claim is undone: its event is marked as skipped and never sent.
 */
async function keepForClaim(
  { store, ask, replica }: Settling,
  { issue_uid, claim_uid }: MirroredLease,
  claim: { readonly uid: string },
): Promise<void> {
  const body = { claim_uid, ttl_seconds: CLAIM_SECONDS };
  const reply = await ask({ action: "renew", issue_uid, body });
  if (reply.outcome === "answered")
    return await store.write(async (tx) => await storeHubLease(tx, replica, reply.answer));
  if (!isNoSuchLease(reply)) return;
  const there = await ask({ action: "status", issue_uid });
  const knows = there.outcome === "answered" ? there.answer.issue?.owner : undefined;
  await store.write(async (tx) => {
    const issue = await tx.issues.find(issue_uid);
    // The hub has the event, and only its answer was lost.
    const isAccepted = knows !== undefined && knows === issue?.owner;
    if (!isAccepted && there.outcome === "answered") await tx.skipEvents([claim.uid]);
    await forgetMirror(tx, issue_uid, claim_uid);
  });
}
