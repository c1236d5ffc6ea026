/**
 * Every kind of event, and whether it is sent to federated daemons (docs/contract/events.md#2-kinds;
 * `domain/federation/wire.ts` says how). The payloads are in `events.ts`. This file does not import zod, so that a
 * browser page can import it.
 * - A `hidden` kind belongs to the system project, whose events are never shown to readers.
 * - A `snapshot` kind repeats what a row says at the time, for a daemon that does not have the earlier events. Nobody did
 *   anything, so no reader of activity gets such an event: no feed, stream, history, digest, count, inbox or undo.
 *   Of a baseline, readers get only its first event, `project.federation_enabled`.
 */
export const EVENT_KINDS = {
  "project.created": { federated: false },
  "project.renamed": { federated: false },
  "project.alias_added": { federated: false },
  "project.alias_removed": { federated: false },
  "project.removed": { federated: false },
  "project.restored": { federated: false },
  "project.metadata_updated": { federated: true },
  "project.merged": { federated: false },
  "project.author_rewritten": { federated: false },
  "project.federation_enabled": { federated: true },
  "issue.created": { federated: true },
  "issue.snapshot": { federated: true, snapshot: true },
  "issue.updated": { federated: true },
  "issue.assigned": { federated: true },
  "issue.unassigned": { federated: true },
  "issue.priority_set": { federated: true },
  "issue.priority_cleared": { federated: true },
  "issue.labeled": { federated: true },
  "issue.unlabeled": { federated: true },
  "issue.linked": { federated: true },
  "issue.unlinked": { federated: true },
  "issue.links_changed": { federated: true },
  "issue.commented": { federated: true },
  "issue.comment_edited": { federated: true },
  "issue.closed": { federated: true },
  "issue.reopened": { federated: true },
  "issue.soft_deleted": { federated: true },
  "issue.restored": { federated: true },
  "issue.metadata_updated": { federated: true },
  "issue.imported": { federated: false },
  "issue.external_root_bound": { federated: true },
  "issue.external_root_paused": { federated: true },
  "issue.external_root_resumed": { federated: true },
  "issue.external_root_unbound": { federated: true },
  "issue.external_comment_resolved": { federated: true },
  "issue.external_field_conflicted": { federated: true },
  "issue.external_field_resolved": { federated: true },
  "issue.moved": { federated: false },
  "claim.acquired": { federated: false },
  "claim.renewed": { federated: false },
  "claim.released": { federated: false },
  "claim.expired": { federated: false },
  "claim.force_released": { federated: false },
  "claim.violated": { federated: false },
  "recurrence.created": { federated: false },
  "recurrence.updated": { federated: false },
  "recurrence.deleted": { federated: false },
  "recurrence.materialized": { federated: false },
  "recurrence.materialization_skipped": { federated: false },
  "close.throttled": { federated: false },
  "cron.job.created": { federated: true },
  "cron.job.updated": { federated: true },
  "cron.job.deleted": { federated: true },
  "cron.job.restored": { federated: true },
  "cron.job.snapshot": { federated: true, snapshot: true },
  "cron.workflow.created": { federated: true },
  "cron.workflow.updated": { federated: true },
  "cron.workflow.deleted": { federated: true },
  "cron.workflow.restored": { federated: true },
  "cron.workflow.snapshot": { federated: true, snapshot: true },
  "cron.run.observed": { federated: true },
  "cron.run.snapshot": { federated: true, snapshot: true },
  "token.created": { federated: false, hidden: true },
  "token.revoked": { federated: false, hidden: true },
} as const;

export type EventKind = keyof typeof EVENT_KINDS;

export function isHidden(kind: EventKind): boolean {
  return "hidden" in EVENT_KINDS[kind];
}

/** The kinds of snapshots. They are no activity: the inbox, digests, statistics and the audit leave them out. */
export const SNAPSHOT_KINDS = (Object.keys(EVENT_KINDS) as readonly EventKind[]).filter(
  (kind) => "snapshot" in EVENT_KINDS[kind],
);

/** Whether events of the kind are shown to readers of activity. */
export function isActivity(kind: EventKind): boolean {
  return !isHidden(kind) && !SNAPSHOT_KINDS.includes(kind);
}
