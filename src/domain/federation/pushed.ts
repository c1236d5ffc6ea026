import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { EventKind } from "../../contract/event-kinds.ts";
import type { EventDraft, StoredEvent } from "../../contract/events.ts";
import { nativeParentOf } from "../cron/native.ts";
import { authorsIn } from "./bound-actor.ts";
import { isDelivery } from "./gate.ts";
import { wireOf } from "./wire.ts";

/** What the enrollment of a spoke says about the events that it may send. */
export interface PushGrant {
  readonly spoke_instance_uid: string;
  readonly bound_actor: string;
  /** 1: snapshots of issues may name other authors than the bound actor. */
  readonly allow_adoption_snapshot_authors: number;
}

export type PushedEvent = Pick<
  StoredEvent,
  "uid" | "type" | "issue_uid" | "actor" | "origin_instance_uid"
> & { readonly payload: EventDraft["payload"] };

/**
 * The kinds of a baseline that only a hub may write. `issue.snapshot` is missing, because a spoke may send an issue
 * that its hub lacks as a snapshot.
 */
const BASELINE_KINDS: ReadonlySet<EventKind> = new Set([
  "project.federation_enabled",
  "cron.job.snapshot",
  "cron.workflow.snapshot",
  "cron.run.snapshot",
]);

/**
 * Returns why a hub may not accept an event that a spoke sends, or `undefined` if nothing in the event itself forbids
 * that. The spoke must have made the event itself, in the name of its bound actor, and its kind must be one that spokes
 * may send (docs/contract/federation.md#73-what-a-hub-accepts).
 */
export function refusalOfPushed(event: PushedEvent, grant: PushGrant): string | undefined {
  const { type, actor, origin_instance_uid } = event;
  const payload = event.payload as unknown as JsonObject;
  if (origin_instance_uid !== grant.spoke_instance_uid)
    return "its origin_instance_uid is not that of the enrollment";
  if (actor !== grant.bound_actor) return "its actor is not that of the enrollment";
  if (wireOf(type) === undefined || BASELINE_KINDS.has(type)) return `a spoke may not send ${type}`;
  const isOfIssue = type.startsWith("issue.");
  if (isOfIssue && !mayNameOthers(type, grant) && namesOthers(payload, grant))
    return "an author in it is not the actor of the enrollment";
  if (isOfIssue && SERIES_FIELDS.some((field) => hasValue(payload[field])))
    return "only the hub creates issues of a series";
  if (isDelivery(type, event.payload)) return "only the hub changes the progress of recurring jobs";
  const { definition } = payload;
  if (isPlainObject(definition) && nativeParentOf(definition) !== null)
    return "only the hub changes jobs that create issues";
  return undefined;
}

function mayNameOthers(type: EventKind, grant: PushGrant): boolean {
  return type === "issue.snapshot" && grant.allow_adoption_snapshot_authors === 1;
}

function namesOthers(payload: JsonObject, { bound_actor }: PushGrant): boolean {
  return authorsIn(payload).some((author) => author !== bound_actor);
}

const SERIES_FIELDS = ["recurrence_uid", "occurrence_key"] as const;

function hasValue(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** An event of a batch that the hub refuses, and the reason. */
export interface Refused {
  readonly event: PushedEvent;
  readonly why: string;
}

/**
 * Returns the first event of a batch that does not fit what the hub has, if there is one. An event must be about an
 * issue that the hub knows or that an earlier event of the batch creates. No issue may be created twice. After a
 * snapshot only snapshots may follow, since all snapshots have one clock. `fresh` has the events that the hub does not
 * have yet; `known` has the uids of the issues that the hub has or had.
 */
export function misplacedIn(
  fresh: readonly PushedEvent[],
  known: ReadonlySet<string>,
): Refused | undefined {
  const there = new Set(known);
  let onlySnapshots = false;
  for (const event of fresh) {
    const { type, issue_uid } = event;
    if (onlySnapshots && type !== "issue.snapshot")
      return { event, why: "only snapshots may follow a snapshot" };
    onlySnapshots ||= type === "issue.snapshot";
    if (issue_uid === undefined) continue;
    const creates = type === "issue.created" || type === "issue.snapshot";
    if (creates && there.has(issue_uid)) return { event, why: "its issue exists already" };
    if (!creates && !there.has(issue_uid)) return { event, why: "references unknown issue" };
    there.add(issue_uid);
  }
  return undefined;
}
