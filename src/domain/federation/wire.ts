import { isPlainObject } from "../../base/json.ts";
import type { EVENT_FEATURES } from "../../contract/capabilities.ts";
import type { EVENT_KINDS, EventKind } from "../../contract/event-kinds.ts";
import type { Payload, StoredEvent } from "../../contract/events.ts";
import { nativeParentOf } from "../cron/native.ts";

/** What a daemon must support to get an event: the version of the wire format, and for some kinds a feature. */
interface Wire {
  readonly version: number;
  readonly feature?: EventFeature;
}

export type EventFeature = (typeof EVENT_FEATURES)[number];

/** The newest version of the wire format that this daemon supports. */
export const NEWEST_WIRE_VERSION = 31;

const CONTENT: Wire = { version: 30 };
const CRON: Wire = { version: NEWEST_WIRE_VERSION, feature: "cron_v1" };
const ROOTS: Wire = { version: NEWEST_WIRE_VERSION, feature: "external_roots_v1" };

type Sent = {
  [K in EventKind]: (typeof EVENT_KINDS)[K]["federated"] extends true ? K : never;
}[EventKind];

/**
 * The wire format of each kind that is sent to other daemons (docs/contract/federation.md#35-features and
 * docs/contract/cron-and-inbox.md#5-events-storage-federation). It does not depend on the version of the database. A
 * kind that is not listed is never sent. A kind is listed exactly if `EVENT_KINDS` calls it federated; otherwise this
 * does not compile.
 */
const WIRE: { readonly [K in Sent]: Wire } = {
  "project.federation_enabled": CONTENT,
  "project.metadata_updated": CONTENT,
  "issue.created": CONTENT,
  "issue.snapshot": CONTENT,
  "issue.updated": CONTENT,
  "issue.assigned": CONTENT,
  "issue.unassigned": CONTENT,
  "issue.priority_set": CONTENT,
  "issue.priority_cleared": CONTENT,
  "issue.labeled": CONTENT,
  "issue.unlabeled": CONTENT,
  "issue.linked": CONTENT,
  "issue.unlinked": CONTENT,
  "issue.links_changed": CONTENT,
  "issue.commented": CONTENT,
  "issue.comment_edited": CONTENT,
  "issue.closed": CONTENT,
  "issue.reopened": CONTENT,
  "issue.soft_deleted": CONTENT,
  "issue.restored": CONTENT,
  "issue.metadata_updated": CONTENT,
  "issue.external_root_bound": ROOTS,
  "issue.external_root_paused": ROOTS,
  "issue.external_root_resumed": ROOTS,
  "issue.external_root_unbound": ROOTS,
  "issue.external_comment_resolved": ROOTS,
  "issue.external_field_conflicted": ROOTS,
  "issue.external_field_resolved": ROOTS,
  "cron.job.created": CRON,
  "cron.job.updated": CRON,
  "cron.job.deleted": CRON,
  "cron.job.restored": CRON,
  "cron.job.snapshot": CRON,
  "cron.workflow.created": CRON,
  "cron.workflow.updated": CRON,
  "cron.workflow.deleted": CRON,
  "cron.workflow.restored": CRON,
  "cron.workflow.snapshot": CRON,
  "cron.run.observed": CRON,
  "cron.run.snapshot": CRON,
};

/** The kinds that are sent to other daemons. */
export const SENT_KINDS = Object.keys(WIRE) as readonly Sent[];

/** Returns how events of the kind are sent; `undefined` if they never are. */
export function wireOf(kind: EventKind): Wire | undefined {
  return Object.hasOwn(WIRE, kind) ? WIRE[kind as Sent] : undefined;
}

/**
 * Returns the features that a daemon must support to get the event, sorted by name. A native job needs a further
 * feature, because a daemon without it would not recognize the issues that the job creates
 * (docs/contract/federation.md#35-features).
 */
export function featuresNeeded({
  type,
  payload,
}: Pick<StoredEvent, "type" | "payload">): readonly EventFeature[] {
  const { feature } = wireOf(type) ?? {};
  if (feature === undefined) return [];
  const { definition } = payload as Payload<"cron.job.created">;
  const isNative = isPlainObject(definition) && nativeParentOf(definition) !== null;
  return isNative ? ["cron_notify_children_v1", feature] : [feature];
}
