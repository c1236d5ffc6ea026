import { instantToMs } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { canonicalJson } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { takeReadyIssue as contract } from "../../contract/leases.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Mark } from "../../domain/drafts/draft.ts";
import { settingsOf } from "../../domain/federation/settings.ts";
import { isLeased, isUnreleased } from "../../domain/leases.ts";
import { qualifiedId } from "../../domain/refs.ts";
import { ALL_EVENTS } from "../../store/types/events.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { checkFingerprint, isForgotten } from "../guards.ts";
import { originalEventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import { leaseOut } from "../out/leases.ts";
import { NOT_GRANTED, refuseReserved } from "./reserve.ts";

export interface TakeInput {
  readonly actor: string;
  readonly body: Input<typeof contract>["body"];
  readonly project_uid?: string;
}

/**
 * The key and fingerprint of a take (docs/contract/http-api.md#17-idempotency-keys). A repeat with another fingerprint
 * is refused. The fingerprint covers the actor, so that nobody gets the claim of somebody else, and the project, so
 * that the routes for one project and for all projects count as different requests.
 */
export function takeMark(key: string, { actor, body, project_uid }: TakeInput): Mark {
  const { labels = [], exclude_labels = [], parent_uid, containers = false, lease } = body;
  const request = {
    project_uid: project_uid ?? null,
    actor,
    labels: [...new Set(labels)].sort(),
    exclude_labels: [...new Set(exclude_labels)].sort(),
    ...(parent_uid === undefined ? {} : { parent_uid }),
    containers,
    lease:
      lease === undefined
        ? null
        : {
            ttl_seconds: lease.ttl_seconds,
            client_kind: lease.client_kind ?? "",
            purpose: lease.purpose ?? "",
          },
  };
  return { key, fingerprint: sha256Hex(canonicalJson(request)) };
}

/**
 * Returns the answer to a repeated take: the claim as it is now; `undefined` if the key is new or expired, or if the
 * hub did not grant the take. Throws if the claim has ended, since somebody else may work on the issue.
 */
export async function replayTake(
  tx: Tx,
  mark: Mark,
  actor: string,
): Promise<Output<typeof contract> | undefined> {
  const known = await tx.marks.findTake(mark.key);
  if (known === undefined || isForgotten(known, instantToMs(tx.now))) return undefined;
  checkFingerprint(known.fingerprint, mark.fingerprint);
  const original = await tx.events.find(known.event_uid);
  const issue = await tx.issues.find(known.scope_uid);
  if (original === undefined || issue === undefined) return undefined;
  if (tx.hasCopies && (await wasNotGranted(tx, original))) return undefined;
  const over = whyHidden(issue) ?? (await whyOver(tx, issue, original, actor));
  if (over !== undefined) throw claimOver(issue, over);
  const lease = isLease(original) ? await tx.leases.of(issue.uid) : undefined;
  return {
    issue: await issueOut(tx, issue),
    event: null,
    events: [],
    original_event: await originalEventOut(tx, original),
    changed: false,
    reused: true,
    ...(lease === undefined ? {} : { lease: leaseOut(lease, issue) }),
  };
}

/**
 * Returns why a repeated take does not get the issue again. The lease alone does not show this, because a lease
 * outlives the close of its issue.
 */
function whyHidden({ status, deleted_at, project_deleted_at }: StoredIssue): string | undefined {
  if (deleted_at !== null) return "was deleted";
  if (project_deleted_at !== null) return "is in an archived project";
  return status === "closed" ? "is closed" : undefined;
}

/**
 * Returns why a claim is over: the lease was replaced or has expired, or the owner was set again, even to the same
 * actor.
 */
async function whyOver(
  tx: Tx,
  issue: StoredIssue,
  original: StoredEvent,
  actor: string,
): Promise<string | undefined> {
  if (isLease(original)) {
    const lease = await tx.leases.of(issue.uid);
    const same = lease?.claim_uid === original.payload.claim_uid;
    if (same && isUnreleased(lease) && tx.hasCopies) await refuseReserved(tx, lease);
    return same && isLeased(lease, await tx.leaseNow())
      ? undefined
      : "is no longer under that lease";
  }
  const kept = issue.owner === actor && !(await hasNewOwner(tx, issue, original));
  return kept ? undefined : "has been given another owner or none since";
}

/** How many changes of an issue are compared with the claim. */
const MAX_COMPARED = 1000;

/**
 * Whether the owner was set again after the claim. Events of other daemons arrive late, so in a federated project the
 * order of the fold says what came after the claim.
 */
async function hasNewOwner(
  tx: Tx,
  { uid, project_uid }: StoredIssue,
  original: StoredEvent,
): Promise<boolean> {
  if (!(await tx.holders.hasNewOwner(uid, original.id))) return false;
  const order = await tx.past.order(ALL_EVENTS);
  if (!order.hasBaseline(project_uid)) return true;
  const changes = await tx.events.settingsOf(uid, "last", MAX_COMPARED);
  return changes
    .filter((event) => event.skipped_at === undefined && order.compare(event, original) > 0)
    .some((event) => settingsOf(event).some(({ thing }) => thing === "owner"));
}

/**
 * How many events after a reservation are searched for its end. Few are enough: during the request to the hub, nobody
 * else on this daemon changes the issue.
 */
const CLOSE_BEHIND = 100;

/** Whether the take only reserved an issue of a copy, and the hub did not grant it. */
async function wasNotGranted(tx: Tx, original: StoredEvent): Promise<boolean> {
  if (!isLease(original)) return false;
  const { issue_uid = "", id, payload } = original;
  const later = await tx.events.ofIssue(issue_uid, id, CLOSE_BEHIND);
  const end = later.find(
    (event) => isRelease(event) && event.payload.claim_uid === payload.claim_uid,
  );
  return end !== undefined && isRelease(end) && end.payload.reason === NOT_GRANTED;
}

function isRelease(event: StoredEvent): event is StoredEvent<"claim.released"> {
  return event.type === "claim.released";
}

function isLease(event: StoredEvent): event is StoredEvent<"claim.acquired"> {
  return event.type === "claim.acquired";
}

function claimOver(issue: StoredIssue, why: string): SvcError {
  const { uid, short_id, project_name, status } = issue;
  const qualified_id = qualifiedId(project_name, short_id);
  return new SvcError(
    "claim_expired",
    { uid, short_id, qualified_id, status },
    {
      message: `the claim made with this key is over: ${qualified_id} ${why}`,
      hint: "take with a new key; nothing was taken",
    },
  );
}
