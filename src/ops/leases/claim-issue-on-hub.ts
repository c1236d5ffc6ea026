import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { type ClaimTerms, decideClaim } from "../../domain/issues.ts";
import { isUnreleased } from "../../domain/leases.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { type IssueParams, reload, requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { warningsOf } from "../out/warnings.ts";
import { type AskingDeps, askForLease, giveBack } from "./ask-hub.ts";
import {
  awaitAccepted,
  claimTerms,
  confirmClaim,
  type HubIssue,
  requireAccepted,
  unacceptedClaim,
} from "./claim-on-hub.ts";
import { copyIn } from "./copy.ts";
import { requireWritable } from "./gate.ts";
import { type AnsweredByHub, refusedByHub } from "./hub-leases.ts";
import { currentLease } from "./lease-request.ts";
import { type ReservedIssue, refuseReserved, reserve } from "./reserve.ts";

interface Claim {
  readonly params: IssueParams;
  readonly actor: string;
  readonly terms: ClaimTerms;
}

type Needs = AskingDeps & Pick<Deps, "fence">;

/**
 * `issue`: the actor owns the issue already. `reserved`: the lease under which the owner changes; `kept`: the caller
 * had this lease before, and keeps it.
 */
type Begun =
  | { readonly issue: StoredIssue; readonly unaccepted: Pick<StoredEvent, "id"> | undefined }
  | { readonly reserved: ReservedIssue; readonly kept: boolean };

/**
 * Makes the actor the owner of an issue of a copy, once the hub has agreed and has accepted the event.
 * An issue that the hub does not know yet is sent first.
 */
export async function claimIssueOnHub(deps: Needs, claim: Claim, isSecond = false) {
  const begun = await deps.store.write(async (tx) => await begin(deps, tx, claim));
  if ("issue" in begun) {
    const { issue, unaccepted } = begun;
    if (unaccepted !== undefined) await requireAccepted(deps, issue.project_uid, unaccepted.id);
    const shown = await deps.store.read(async (reader) => await issueOut(reader, issue));
    return { issue: shown, event: null, changed: false };
  }
  const { reserved, kept } = begun;
  const { replica } = reserved;
  const answered = await (kept ? requireHeldAtHub(deps, reserved) : askForClaim(deps, reserved));
  if (answered === undefined) {
    const isSent = !isSecond && (await deps.hubLeases.sent(replica.project_uid, reserved.event_id));
    if (isSent) return await claimIssueOnHub(deps, claim, true);
    throw refusedByHub({ outcome: "refused", status: 404, code: "issue_not_found" });
  }
  try {
    requireFree(answered.answer.issue, reserved.issue, claim);
    const written = await deps.store.write(async (tx) => await write(tx, begun, claim, answered));
    if (kept) await requireAccepted(deps, replica.project_uid, written.id);
    else await awaitAccepted(deps, reserved, written);
    return written.answer;
  } catch (error) {
    const isWritten = error instanceof SvcError && error.code === "outcome_unknown";
    if (!kept && !isWritten) await giveBack(deps, reserved);
    throw error;
  }
}

async function begin(deps: Needs, tx: Tx, { params, actor, terms }: Claim): Promise<Begun> {
  const { store, fence } = deps;
  const { instanceUid } = store;
  const { project, issue } = await requireIssue(tx, params);
  const replica = await copyIn(tx, project);
  if (replica === undefined) throw new SvcError("busy");
  await requireWritable(tx, issue, { actor, instanceUid, fence });
  if (decideClaim(issue, terms, { actor, now: tx.now }) === "unchanged")
    return { issue, unaccepted: await unacceptedClaim(tx, issue, instanceUid) };
  const known = await currentLease(tx, issue);
  const at = { replica, project, issue };
  if (isUnreleased(known)) {
    await refuseReserved(tx, known);
    return { reserved: { ...at, lease: known, event_id: 0 }, kept: true };
  }
  const holder = { holder: actor, holder_instance_uid: instanceUid };
  const wanted = { actor, holder, terms: claimTerms() };
  return { reserved: await reserve(deps, tx, at, wanted), kept: false };
}

/** Asks for the hub's lease. Returns undefined if the hub does not know the issue yet. */
async function askForClaim(
  deps: Needs,
  reserved: ReservedIssue,
): Promise<AnsweredByHub | undefined> {
  const found = await askForLease(deps, reserved, claimTerms());
  if (found.outcome === "silent") throw found.error;
  if (found.outcome === "granted") return found.answered;
  if (found.answered === undefined) return undefined;
  const { holder } = found.answered.answer;
  throw new SvcError("claim_denied", holder === undefined ? {} : { holder });
}

/**
 * Asks the hub about the lease that the caller has. Throws `claim_expired` if the hub does not have this lease any
 * more.
 */
async function requireHeldAtHub(
  deps: Needs,
  { replica, issue, lease }: ReservedIssue,
): Promise<AnsweredByHub> {
  const found = await deps.hubLeases.ask(replica, { action: "status", issue_uid: issue.uid });
  if (found.outcome === "refused") throw refusedByHub(found);
  const { held, lease: there } = found.answer;
  if (held !== true || there?.claim_uid !== lease.claim_uid) throw new SvcError("claim_expired");
  return found;
}

/** Throws `already_claimed` if the issue has another owner at the hub. */
function requireFree(
  there: HubIssue | undefined,
  issue: StoredIssue,
  { actor, terms }: Claim,
): void {
  decideClaim({ ...issue, owner: there?.owner ?? null }, terms, { actor, now: issue.updated_at });
}

async function write(
  tx: Tx,
  { reserved, kept }: Extract<Begun, { readonly reserved: ReservedIssue }>,
  { actor, terms }: Claim,
  answered: AnsweredByHub,
) {
  let previous: string | null = null;
  const draft = (now: StoredIssue) => {
    previous = now.owner;
    const decided = decideClaim(now, terms, { actor, now: tx.now });
    return decided === "unchanged" ? undefined : decided;
  };
  const claimed = kept
    ? await claimUnder(tx, reserved, draft)
    : await confirmClaim(tx, reserved, answered, draft);
  if (claimed === undefined) throw new SvcError("busy");
  const { event, issue } = claimed;
  const shown = eventOut(event, reserved.project, { issue });
  const out = await issueOut(tx, issue);
  const before = previous === null ? {} : { previous_owner: previous as string };
  const answer = { issue: out, event: shown, changed: true, ...before };
  return { id: event.id, answer: { ...answer, ...warningsOf(out, [event]) } };
}

async function claimUnder(
  tx: Tx,
  { issue }: ReservedIssue,
  draft: Parameters<typeof confirmClaim>[3],
): ReturnType<typeof confirmClaim> {
  const drafted = draft(await reload(tx, issue));
  if (drafted === undefined) return undefined;
  const event = await tx.append(drafted);
  return { event, issue: await reload(tx, issue) };
}
