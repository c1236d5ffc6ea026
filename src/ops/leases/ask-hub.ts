import { SvcError } from "../../contract/errors.ts";
import type { LeaseTerms } from "../../domain/leases.ts";
import type { Deps } from "../deps.ts";
import {
  type AnsweredByHub,
  type HubLeaseAnswer,
  type HubLeases,
  refusedByHub,
} from "./hub-leases.ts";
import { isNoSuchLease } from "./hub-refusals.ts";
import { endReservation, type ReservedIssue } from "./reserve.ts";
import { storeHubLease } from "./store-hub-lease.ts";

export type AskingDeps = Pick<Deps, "store" | "ids"> & { readonly hubLeases: HubLeases };

export type LeaseOutcome =
  | { readonly outcome: "granted"; readonly answered: AnsweredByHub }
  /** Somebody else has the lease, or the hub does not know the issue. `answered` is set if the hub said who has it. */
  | { readonly outcome: "denied"; readonly answered?: AnsweredByHub }
  | { readonly outcome: "silent"; readonly error: SvcError };

/**
 * Asks the hub for the lease of a reserved issue, outside any transaction. The reservation ends unless the lease is
 * granted. If the hub gives no answer, it may have granted the lease nevertheless: the next pass gives the lease back,
 * or asks again if `waits` is set. Throws `hub_claim_failed` if the hub refuses.
 */
export async function askForLease(
  deps: AskingDeps,
  reserved: ReservedIssue,
  { claim_kind, ttl_seconds, purpose }: LeaseTerms,
  { waits = false }: { readonly waits?: boolean } = {},
): Promise<LeaseOutcome> {
  const { issue, lease, replica } = reserved;
  const body = {
    claim_uid: lease.claim_uid,
    claim_kind,
    ...(ttl_seconds === undefined ? {} : { ttl_seconds }),
    purpose,
    fence: lease.fence,
  };
  const request = { action: "acquire", issue_uid: issue.uid, body } as const;
  let answer: HubLeaseAnswer;
  try {
    answer = await deps.hubLeases.ask(replica, request);
  } catch (error) {
    const isSilent = error instanceof SvcError && error.code === "federation_offline";
    await end(deps, reserved, isSilent && waits ? { pending: error.code } : "unknown");
    if (isSilent) return { outcome: "silent", error };
    throw error;
  }
  if (answer.outcome === "answered") {
    if (answer.answer.granted === true) return { outcome: "granted", answered: answer };
    await end(deps, reserved, "denied", answer);
    return { outcome: "denied", answered: answer };
  }
  await end(deps, reserved, answer.status >= 500 ? "unknown" : "denied");
  if (isNoSuchLease(answer)) return { outcome: "denied" };
  throw refusedByHub(answer);
}

async function end(
  { store }: AskingDeps,
  reserved: ReservedIssue,
  how: Parameters<typeof endReservation>[2],
  answered?: AnsweredByHub,
): Promise<void> {
  await store.write(async (tx) => {
    await endReservation(tx, reserved, how);
    if (answered !== undefined) await storeHubLease(tx, reserved.replica, answered.answer);
  });
}

/**
 * Gives back a lease that the hub has granted and that nobody here uses. If the hub does not answer, the next pass
 * gives the lease back.
 */
export async function giveBack(
  deps: AskingDeps,
  { issue, lease, replica }: Pick<ReservedIssue, "issue" | "lease" | "replica">,
): Promise<void> {
  const { claim_uid } = lease;
  await deps.store.write(async (tx) => await endReservation(tx, { issue, lease }, "unknown"));
  const request = { action: "release", issue_uid: issue.uid, body: { claim_uid } } as const;
  const answer = await deps.hubLeases.ask(replica, request).catch((error: unknown) => {
    if (error instanceof SvcError) return undefined;
    throw error;
  });
  const isDone = answer?.outcome === "answered" || (answer !== undefined && isNoSuchLease(answer));
  if (!isDone) return;
  await deps.store.write(async (tx) => {
    await tx.unfolded.remove("pending_lease", { request_uid: claim_uid });
    const known = await tx.unfolded.find("mirrored_lease", { issue_uid: issue.uid });
    if (known?.claim_uid === claim_uid)
      await tx.unfolded.remove("mirrored_lease", { issue_uid: issue.uid });
  });
}
