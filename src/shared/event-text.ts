import { addressOf } from "../domain/inbox/slot.ts";
import { storedEvidence } from "./evidence.ts";

type Payload = Readonly<Record<string, unknown>>;

export interface LoggedEvent {
  readonly type: string;
  readonly payload: Payload;
  /** Set if somebody decided that the hub of the project never gets the event. The event then changes nothing. */
  readonly skipped_at?: string | undefined;
}

/** Describes an event in words; an unknown kind of event is described by its name. */
export function describeEvent({ type, payload, skipped_at }: LoggedEvent): string {
  const text = Object.hasOwn(WORDS, type) ? (WORDS[type]?.(payload) ?? type) : type;
  return skipped_at === undefined ? text : `(skipped, counts no more) ${text}`;
}

/** Describes a kind: `issue.labeled` is `labeled`, `claim.acquired` is `lease acquired`. */
export function describeKind(type: string): string {
  return type
    .replace(/^claim\./, "lease ")
    .replace(/^issue\./, "")
    .replaceAll(/[._]/g, " ");
}

const WORDS: Readonly<Record<string, (payload: Payload) => string>> = {
  "issue.created": ({ title, owner, priority, labels, links }) =>
    phrase(
      `created it: ${text(title)}`,
      owner === undefined ? "" : `owner ${text(owner)}`,
      priority === undefined ? "" : `P${text(priority)}`,
      count(labels) === 0 ? "" : `labels ${list(labels)}`,
      count(links) === 0 ? "" : `${count(links)} ${count(links) === 1 ? "link" : "links"}`,
    ),
  "issue.updated": ({ title, old_title, body, owner }) =>
    phrase(
      title === undefined ? "" : `renamed it from ${quoted(old_title)} to ${quoted(title)}`,
      body === undefined ? "" : "changed the body",
      owner === undefined ? "" : ownedBy(owner),
    ),
  "issue.assigned": ({ owner }) => ownedBy(owner),
  "issue.unassigned": () => ownedBy(null),
  "issue.priority_set": ({ priority, old_priority }) =>
    `set the priority to P${text(priority)}${old_priority === undefined ? "" : ` from P${text(old_priority)}`}`,
  "issue.priority_cleared": () => "took the priority away",
  "issue.labeled": ({ label }) => `+label ${text(label)}`,
  "issue.unlabeled": ({ label }) => `-label ${text(label)}`,
  "issue.linked": (payload) => `+${linkText(payload)}`,
  "issue.unlinked": (payload) => `-${linkText(payload)}`,
  "issue.links_changed": (payload) => phrase(...linkChanges(payload)),
  "issue.commented": ({ body }) => `commented: ${text(body)}`,
  "issue.comment_edited": ({ body }) => `edited a comment: ${text(body)}`,
  "issue.closed": ({ reason, message, evidence }) =>
    phrase(
      `closed it (${text(reason)})${message === undefined ? "" : `: ${text(message)}`}`,
      evidenceOf(evidence),
    ),
  "issue.reopened": () => "reopened it",
  "issue.soft_deleted": () => "deleted it",
  "issue.restored": () => "restored it",
  "issue.metadata_updated": ({ diff }) => phrase(...metadataChanges(diff)),
  "issue.imported": ({ source }) => `read it again in ${text(source)}`,
  "issue.moved": ({ from_short_id, to_short_id }) =>
    from_short_id === to_short_id
      ? "moved it here from another project"
      : `moved it here from another project, where it was ${text(from_short_id)}`,
  "issue.external_root_bound": ({ connector_instance }) =>
    `bound it to a record of ${text(connector_instance)}`,
  "issue.external_root_paused": ({ connector_instance, reason }) =>
    `paused its bridge to ${text(connector_instance)}${reason === undefined ? "" : `: ${text(reason)}`}`,
  "issue.external_root_resumed": ({ connector_instance }) =>
    `resumed its bridge to ${text(connector_instance)}`,
  "issue.external_root_unbound": ({ connector_instance }) =>
    `ended its bridge to ${text(connector_instance)}`,
  "issue.external_comment_resolved": ({ action, connector_instance }) =>
    action === "published"
      ? `a comment was published to ${text(connector_instance)}`
      : `a comment for ${text(connector_instance)} was resolved: ${text(action)}`,
  "issue.external_field_conflicted": ({ svc_field, connector_instance }) =>
    `${text(svc_field)} differs here and in ${text(connector_instance)}`,
  "issue.external_field_resolved": ({ svc_field, connector_instance }) =>
    `decided about ${text(svc_field)} here and in ${text(connector_instance)}`,
  "claim.acquired": ({ holder, fence }) => `leased to ${text(holder)}, fence ${text(fence)}`,
  "claim.renewed": ({ holder }) => `lease of ${text(holder)} renewed`,
  "claim.released": ({ holder }) => `lease of ${text(holder)} given back`,
  "claim.expired": ({ holder }) => `lease of ${text(holder)} ran out`,
  "claim.force_released": ({ holder }) => `lease of ${text(holder)} taken away`,
  "claim.violated": ({ holder }) => `another daemon changed it while ${text(holder)} had the lease`,
  "recurrence.created": ({ occurrence_key }) =>
    `made it the first of a series, for ${text(occurrence_key)}`,
  "recurrence.materialized": ({ occurrence_key }) =>
    `it came next in its series, for ${text(occurrence_key)}`,
  "recurrence.materialization_skipped": ({ occurrence_key }) =>
    `its series made no other issue for ${text(occurrence_key)}`,
  "close.throttled": ({ reason }) => `a close was refused: ${text(reason)}`,
};

function evidenceOf(items: unknown): string {
  const texts = storedEvidence(items);
  return texts.length === 0 ? "" : `evidence ${texts.join(" ")}`;
}

function phrase(...parts: readonly string[]): string {
  const words = parts.filter((part) => part !== "");
  return words.length === 0 ? "changed nothing" : words.join(", ");
}

/** Payloads come from any daemon, so a value that is no text is shown as JSON. */
function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function quoted(value: unknown): string {
  return `"${text(value)}"`;
}

function ownedBy(owner: unknown): string {
  return owner === null ? "took it from its owner" : `gave it to ${text(owner)}`;
}

function count(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function list(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.map((one) => text(isRecord(one) ? one["type"] : one)).join(" ");
}

function isRecord(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function linkText({ type, from_short_id, to_short_id }: Payload): string {
  return `${text(type)} ${text(from_short_id)} → ${text(to_short_id)}`;
}

function linkChanges(payload: Payload): readonly string[] {
  return LINK_FIELDS.flatMap(([field, sign, word]) => {
    const value = payload[field];
    if (value === undefined) return [];
    const refs = Array.isArray(value) ? value : [value];
    return refs.map((ref) => `${sign}${word} ${text(ref)}`);
  });
}

const LINK_FIELDS = [
  ["parent_removed", "-", "parent"],
  ["parent_set", "+", "parent"],
  ["blocks_added", "+", "blocks"],
  ["blocks_removed", "-", "blocks"],
  ["blocked_by_added", "+", "blocked_by"],
  ["blocked_by_removed", "-", "blocked_by"],
  ["related_added", "+", "related"],
  ["related_removed", "-", "related"],
] as const;

function request(address: string, value: unknown): string {
  if (value === undefined || value === null) return `cleared the request to ${address}`;
  return `asked ${address}: ${text(isRecord(value) ? (value["message"] ?? value) : value)}`;
}

function metadataChanges(diff: unknown): readonly string[] {
  if (!isRecord(diff)) return [];
  return Object.entries(diff).map(([key, change]) => {
    const to = isRecord(change) ? change["to"] : undefined;
    const address = addressOf(key);
    if (address !== undefined) return request(address, to);
    return to === undefined || to === null ? `-${key}` : `${key} = ${text(to)}`;
  });
}
