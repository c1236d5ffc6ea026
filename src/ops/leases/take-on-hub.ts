import { SvcError } from "../../contract/errors.ts";
import type { takeReadyIssue } from "../../contract/leases.ts";
import type { Output } from "../../contract/route.ts";
import { issueAssigned } from "../../domain/drafts/issues.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { leaseOut } from "../out/leases.ts";
import { warningsOf } from "../out/warnings.ts";
import { type AskingDeps, askForLease, giveBack } from "./ask-hub.ts";
import { awaitAccepted, claimTerms, confirmClaim, isFreeAtHub } from "./claim-on-hub.ts";
import type { TakeInput } from "./replay-take.ts";
import { confirmReservation, type ReservedIssue, type WantedLease } from "./reserve.ts";

type TakeAnswer = Output<typeof takeReadyIssue>;

/** An issue of a copy that a take has reserved, and the lease that the take wants. */
export interface ReservedTake {
  readonly reserved: ReservedIssue;
  readonly wanted: WantedLease;
}

/** Returns the lease that a take asks the hub for: the lease of the request, or a short one for becoming the owner. */
export function wantedLease(
  { actor, body: { lease } }: Pick<TakeInput, "actor" | "body">,
  instanceUid: string,
  mark: WantedLease["mark"],
): WantedLease {
  const holder = {
    holder: actor,
    holder_instance_uid: instanceUid,
    client_kind: lease?.client_kind,
  };
  const terms =
    lease === undefined
      ? claimTerms()
      : ({
          claim_kind: "timed",
          ttl_seconds: lease.ttl_seconds,
          purpose: lease.purpose ?? "",
        } as const);
  return { actor, holder, terms, mark };
}

/**
 * Asks the hub for the reserved issue, and takes it. Returns `denied` if the hub denies the issue, and `unknown` if the
 * hub does not know it yet. Throws `federation_offline` if the hub gives no answer.
 */
export async function takeOnHub(
  deps: AskingDeps,
  { reserved, wanted }: ReservedTake,
  body: TakeInput["body"],
): Promise<TakeAnswer | "denied" | "unknown"> {
  const { actor } = wanted;
  const asked = await askForLease(deps, reserved, wanted.terms);
  if (asked.outcome === "silent") throw asked.error;
  if (asked.outcome === "denied") return asked.answered === undefined ? "unknown" : "denied";
  const { answered } = asked;
  const owns = body.lease === undefined ? undefined : actor;
  const taken = isFreeAtHub(answered.answer.issue, owns)
    ? await write(deps, { reserved, wanted }, answered, body)
    : undefined;
  if (taken === undefined) {
    await giveBack(deps, reserved);
    return "denied";
  }
  if (body.lease === undefined && taken.event !== null)
    await awaitAccepted(deps, reserved, taken.event);
  return taken;
}

async function write(
  { store }: AskingDeps,
  { reserved, wanted }: ReservedTake,
  answered: Parameters<typeof confirmReservation>[3],
  body: TakeInput["body"],
): Promise<TakeAnswer | undefined> {
  const { project, issue } = reserved;
  const { actor, mark } = wanted;
  return await store.write(async (tx) => {
    if (body.lease !== undefined) {
      const confirmed = await confirmReservation(tx, reserved, wanted, answered);
      if (confirmed === undefined) return undefined;
      const shown = eventOut(confirmed.event, project, { issue });
      const out = await issueOut(tx, issue);
      return { ...taken(out, shown), lease: leaseOut(confirmed.lease, issue) };
    }
    const claimed = await confirmClaim(tx, reserved, answered, (now) =>
      now.owner === null && now.status === "open"
        ? issueAssigned(now, actor, { actor, now: tx.now }, mark)
        : undefined,
    );
    if (claimed === undefined) return undefined;
    const shown = eventOut(claimed.event, project, { issue: claimed.issue });
    const out = await issueOut(tx, claimed.issue);
    return { ...taken(out, shown), ...warningsOf(out, [claimed.event]) };
  });
}

function taken<I, E>(issue: I, event: E) {
  return { issue, event, events: [event], changed: true };
}

/** A take gives up when this many issues in a row were denied by hubs. */
export const MOST_DENIALS = 5;

export function denied(): SvcError {
  return new SvcError(
    "claim_denied",
    { denials: MOST_DENIALS },
    {
      message: `the hub denied ${MOST_DENIALS} issues in a row: they are taken or closed there`,
      hint: "try again in some seconds, when the copy has read that",
    },
  );
}
