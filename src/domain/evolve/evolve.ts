import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { Change, State, Touches } from "../state.ts";
import * as bridges from "./bridges.ts";
import * as comments from "./comments.ts";
import {
  jobSnapshot,
  jobWritten,
  runObserved,
  runSnapshot,
  workflowSnapshot,
  workflowWritten,
} from "./cron.ts";
import { type Evolvers, nothing } from "./evolver.ts";
import * as issues from "./issues.ts";
import * as labels from "./labels.ts";
import * as leases from "./leases.ts";
import * as links from "./links.ts";
import { authorRewritten, merged, moved } from "./places.ts";
import * as projects from "./projects.ts";
import * as recurrences from "./recurrences.ts";
import { federationEnabled, issueSnapshot } from "./snapshots.ts";
import * as tokens from "./tokens.ts";

/** For each kind of event, which rows it needs and how it changes them (docs/contract/events.md#62-effects). */
const EVOLVERS: Evolvers = {
  "project.created": projects.created,
  "project.renamed": projects.renamed,
  "project.alias_added": projects.aliasAdded,
  "project.alias_removed": projects.aliasRemoved,
  "project.removed": projects.removed,
  "project.restored": projects.restored,
  "project.metadata_updated": projects.metadataUpdated,
  "project.merged": merged,
  "project.author_rewritten": authorRewritten,
  "project.federation_enabled": federationEnabled,
  "issue.created": issues.created,
  "issue.snapshot": issueSnapshot,
  "issue.updated": issues.updated,
  "issue.assigned": issues.assigned,
  "issue.unassigned": issues.unassigned,
  "issue.priority_set": issues.prioritySet,
  "issue.priority_cleared": issues.priorityCleared,
  "issue.closed": issues.closed,
  "issue.reopened": issues.reopened,
  "issue.soft_deleted": issues.softDeleted,
  "issue.restored": issues.restored,
  "issue.metadata_updated": issues.metadataUpdated,
  "issue.imported": issues.importRead,
  "issue.labeled": labels.labeled,
  "issue.unlabeled": labels.unlabeled,
  "issue.linked": links.linked,
  "issue.unlinked": links.unlinked,
  "issue.links_changed": links.linksChanged,
  "issue.moved": moved,
  "issue.external_root_bound": bridges.rootBound,
  "issue.external_root_paused": bridges.rootPaused,
  "issue.external_root_resumed": bridges.rootResumed,
  "issue.external_root_unbound": bridges.rootUnbound,
  "issue.external_comment_resolved": nothing,
  "issue.external_field_conflicted": nothing,
  "issue.external_field_resolved": nothing,
  "claim.acquired": leases.acquired,
  "claim.renewed": leases.renewed,
  "claim.released": leases.released,
  "claim.expired": leases.expired,
  "claim.force_released": leases.forceReleased,
  "claim.violated": nothing,
  "close.throttled": nothing,
  "recurrence.created": recurrences.created,
  "recurrence.updated": recurrences.updated,
  "recurrence.deleted": recurrences.deleted,
  "recurrence.materialized": recurrences.materialized,
  "recurrence.materialization_skipped": recurrences.skipped,
  "cron.job.created": jobWritten,
  "cron.job.updated": jobWritten,
  "cron.job.deleted": jobWritten,
  "cron.job.restored": jobWritten,
  "cron.job.snapshot": jobSnapshot,
  "cron.workflow.created": workflowWritten,
  "cron.workflow.updated": workflowWritten,
  "cron.workflow.deleted": workflowWritten,
  "cron.workflow.restored": workflowWritten,
  "cron.workflow.snapshot": workflowSnapshot,
  "cron.run.observed": runObserved,
  "cron.run.snapshot": runSnapshot,
  "token.created": tokens.created,
  "token.revoked": tokens.revoked,
  "issue.commented": comments.commented,
  "issue.comment_edited": comments.commentEdited,
};

/** The rows that must be loaded before `evolve` is called. */
export function touches<K extends EventKind>(event: StoredEvent<K>): Touches {
  return EVOLVERS[event.type].touches(event);
}

/**
 * Returns the changes that an event makes, without side effects. An event whose subject does not exist changes nothing:
 * a log that was purged or comes from another daemon may contain such events. An event that somebody decided never to
 * send to the hub (`skipped_at`) changes nothing either.
 */
export function evolve<K extends EventKind>(
  state: State,
  event: StoredEvent<K>,
): readonly Change[] {
  if (event.skipped_at !== undefined) return [];
  return EVOLVERS[event.type].evolve(state, event);
}
