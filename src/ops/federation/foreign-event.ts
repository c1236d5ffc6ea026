import type { JsonObject } from "../../base/json.ts";
import { invalid } from "../../contract/errors.ts";
import { PAYLOADS, type Payload } from "../../contract/events.ts";
import { wireOf } from "../../domain/federation/wire.ts";
import { compareClocks, MAX_COUNTER, MAX_PHYSICAL_MS } from "../../domain/order.ts";
import type { ForeignEvent } from "../../store/types/store.ts";
import { brokenField, INSTANT, NAME, UID } from "./foreign-fields.ts";

/** An event as daemons send it to each other. */
export interface SentEvent {
  readonly event_uid: string;
  readonly origin_instance_uid: string;
  readonly project_uid: string;
  readonly issue_uid?: string | undefined;
  readonly related_issue_uid?: string | undefined;
  readonly type: string;
  readonly actor: string;
  readonly payload?: object | undefined;
  readonly hlc_physical_ms: number;
  readonly hlc_counter: number;
  readonly content_hash: string;
  readonly created_at: string;
}

/** Returns the event in the form of the log. Its kind is known; everything else has yet to be checked. */
export function foreignEventOf(sent: SentEvent): ForeignEvent {
  const { event_uid, issue_uid, related_issue_uid, payload = {} } = sent;
  return {
    uid: event_uid,
    origin_instance_uid: sent.origin_instance_uid,
    project_uid: sent.project_uid,
    ...(issue_uid === undefined ? {} : { issue_uid }),
    ...(related_issue_uid === undefined ? {} : { related_issue_uid }),
    type: sent.type,
    actor: sent.actor,
    payload,
    hlc_physical_ms: sent.hlc_physical_ms,
    hlc_counter: sent.hlc_counter,
    content_hash: sent.content_hash,
    created_at: sent.created_at,
  } as ForeignEvent;
}

/**
 * Checks the form of an event that another daemon sends, before it is added to the log: its kind is sent between
 * daemons, the event and its payload keep the limits of events that are written here, the payload is about the issue
 * that the event names, and its clock is possible. What depends on the rows of this database is checked when the event
 * is added (`Tx.admit`). Throws `validation`, which names the event.
 */
export function checkForeignEvent(event: ForeignEvent): void {
  const { uid, type, payload } = event;
  const refused = (why: string) => invalid(`event ${uid}: ${why}`);
  if (wireOf(type) === undefined) throw refused(`events of the kind ${type} are not sent`);
  const broken = brokenEnvelope(event);
  if (broken !== undefined) throw refused(broken);
  if (!PAYLOADS[type]().safeParse(payload).success)
    throw refused(`its payload is not one of ${type}`);
  const field = brokenField(payload as unknown as JsonObject);
  if (field !== undefined) throw refused(`in its payload, ${field}`);
  const unlike = brokenPlace(event);
  if (unlike !== undefined) throw refused(unlike);
}

function brokenEnvelope(event: ForeignEvent): string | undefined {
  const { issue_uid, related_issue_uid, hlc_physical_ms, hlc_counter, hub_event_id } = event;
  const isPossible = hlc_physical_ms > 0 && hlc_physical_ms <= MAX_PHYSICAL_MS;
  if (!Number.isSafeInteger(hlc_physical_ms) || !isPossible)
    return `hlc_physical_ms must be from 1 to ${MAX_PHYSICAL_MS}`;
  if (!Number.isSafeInteger(hlc_counter) || hlc_counter < 0 || hlc_counter > MAX_COUNTER)
    return `hlc_counter must be from 0 to ${MAX_COUNTER}`;
  if (hub_event_id !== undefined && !(Number.isSafeInteger(hub_event_id) && hub_event_id > 0))
    return "hub_event_id must be greater than 0";
  const fields = [
    ["uid", UID(event.uid)],
    ["origin_instance_uid", UID(event.origin_instance_uid)],
    ["project_uid", UID(event.project_uid)],
    ["issue_uid", issue_uid === undefined ? undefined : UID(issue_uid)],
    ["related_issue_uid", related_issue_uid === undefined ? undefined : UID(related_issue_uid)],
    ["actor", NAME(event.actor)],
    ["created_at", INSTANT(event.created_at)],
  ] as const;
  const [name, why] = fields.find(([, broken]) => broken !== undefined) ?? [];
  return name === undefined ? undefined : `${name} ${why}`;
}

/** Says in what the payload contradicts the event's own fields, by which the rows are found. */
function brokenPlace(event: ForeignEvent): string | undefined {
  const { type, issue_uid, related_issue_uid, project_uid, payload } = event;
  const { uid, project_uid: home = project_uid } = payload as {
    uid?: string;
    project_uid?: string;
  };
  if (home !== project_uid) return "its payload is about another project";
  if (type.startsWith("issue.") !== (issue_uid !== undefined))
    return issue_uid === undefined ? "it names no issue" : "it may not name an issue";
  const made = type === "issue.created" || type === "issue.snapshot";
  if (made && uid !== issue_uid) return "its payload is about another issue";
  const related = relatedOf(event);
  if (related !== related_issue_uid) return "related_issue_uid is not the other end of its link";
  if (issue_uid !== undefined && othersOf(event).includes(issue_uid))
    return "it links an issue with itself";
  return brokenSnapshot(event);
}

/**
 * The issue at the other end of the only link that the event names; "" if the link does not belong to the event's
 * issue.
 */
function relatedOf({ type, issue_uid, payload }: ForeignEvent): string | undefined {
  if (type !== "issue.linked" && type !== "issue.unlinked") return undefined;
  const { from_uid, to_uid } = payload as Payload<"issue.linked">;
  if (from_uid !== issue_uid) return "";
  if (type === "issue.linked") return to_uid;
  const { link_from_uid, link_to_uid } = payload as Payload<"issue.unlinked">;
  const ends = [link_from_uid, link_to_uid];
  return ends.includes(from_uid) && ends.includes(to_uid) ? to_uid : "";
}

/** The issues to which the event sets or removes links of its issue. */
function othersOf(event: ForeignEvent): readonly string[] {
  return [...newPeersOf(event), ...formerPeersOf(event)];
}

/** The issues to which the event sets links of its issue. */
export function newPeersOf({ type, payload }: ForeignEvent): readonly string[] {
  switch (type) {
    case "issue.linked":
      return [(payload as Payload<typeof type>).to_uid];
    case "issue.created":
    case "issue.snapshot":
      return ((payload as Payload<typeof type>).links ?? []).map(
        ({ to_issue_uid }) => to_issue_uid,
      );
    case "issue.links_changed": {
      const { parent_set_uid, ...set } = payload as Payload<typeof type>;
      const lists = [set.blocks_added_uids, set.blocked_by_added_uids, set.related_added_uids];
      return [parent_set_uid ?? [], ...lists.map((uids) => uids ?? [])].flat();
    }
    default:
      return [];
  }
}

function formerPeersOf({ type, payload }: ForeignEvent): readonly string[] {
  if (type === "issue.unlinked") return [(payload as Payload<typeof type>).to_uid];
  if (type !== "issue.links_changed") return [];
  const { parent_removed_uid, ...gone } = payload as Payload<typeof type>;
  const lists = [gone.blocks_removed_uids, gone.blocked_by_removed_uids, gone.related_removed_uids];
  return [parent_removed_uid ?? [], ...lists.map((uids) => uids ?? [])].flat();
}

/**
 * Says what is wrong with a snapshot. A snapshot of an issue may only have links that are stored from this issue, since
 * other links belong to other issues. A snapshot of a job or workflow may not be older than the version that it
 * repeats, since no later change would count.
 */
function brokenSnapshot(event: ForeignEvent): string | undefined {
  const { type, issue_uid = "", payload } = event;
  if (type === "issue.snapshot") {
    const { links = [] } = payload as Payload<typeof type>;
    const isOther = links.some((link) => link.type === "related" && link.to_issue_uid < issue_uid);
    return isOther ? "it has a link that is stored from another issue" : undefined;
  }
  if (type !== "cron.job.snapshot" && type !== "cron.workflow.snapshot") return undefined;
  const { physical_ms, counter } = (payload as Payload<typeof type>).definition_hlc;
  const written = { hlc_physical_ms: physical_ms, hlc_counter: counter };
  return compareClocks(written, event) > 0 ? "it is older than what it repeats" : undefined;
}
