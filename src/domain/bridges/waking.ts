import type { EventKind } from "../../contract/event-kinds.ts";
import type { Payload, StoredEvent } from "../../contract/events.ts";
import { connectorActor } from "../../contract/reserved-actors.ts";

/**
 * The kinds of events after which the bridge of an issue is run soon (docs/contract/connectors.md#63-by-itself). A pause
 * is not among them, since a paused bridge is not run.
 */
export const WAKING_KINDS = [
  "issue.external_root_bound",
  "issue.external_root_resumed",
  "issue.external_comment_resolved",
  "issue.external_field_resolved",
  "issue.closed",
  "issue.reopened",
  "issue.commented",
] as const satisfies readonly EventKind[];

export type WakingEvent = Pick<StoredEvent, "type" | "actor" | "payload">;

/**
 * Whether the bridge of the instance is run soon because of an event of its issue. What its runs write does not count:
 * their actor is the connector, and in a copy, where it is a person, the payload says where a comment came from.
 */
export function wakesBridge({ type, actor, payload }: WakingEvent, instance: string): boolean {
  const isOwn = actor === connectorActor(instance);
  if (isOwn || !(WAKING_KINDS as readonly EventKind[]).includes(type)) return false;
  if (type === "issue.commented")
    return (payload as Payload<"issue.commented">).source?.connector_instance !== instance;
  if (type === "issue.external_comment_resolved")
    return (payload as Payload<"issue.external_comment_resolved">).action !== "published";
  return true;
}
