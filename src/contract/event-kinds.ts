/**
 * Every kind of event, and whether it is sent to federated daemons (facts http-api 5.2). A `hidden` kind belongs to the
 * system project, whose events are never shown to readers. The payloads are in `events.ts`. This file does not import
 * zod, so that a browser page can import it.
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
  "issue.created": { federated: true },
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
  "issue.moved": { federated: false },
  "claim.acquired": { federated: true },
  "claim.renewed": { federated: false },
  "claim.released": { federated: true },
  "claim.expired": { federated: true },
  "claim.force_released": { federated: true },
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
  "cron.workflow.created": { federated: true },
  "cron.workflow.updated": { federated: true },
  "cron.workflow.deleted": { federated: true },
  "cron.workflow.restored": { federated: true },
  "cron.run.observed": { federated: true },
  "token.created": { federated: false, hidden: true },
  "token.revoked": { federated: false, hidden: true },
} as const;

export type EventKind = keyof typeof EVENT_KINDS;

export function isHidden(kind: EventKind): boolean {
  return "hidden" in EVENT_KINDS[kind];
}
