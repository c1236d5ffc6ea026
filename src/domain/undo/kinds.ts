import type { EventKind, Payload, StoredEvent } from "../../contract/events.ts";

/**
 * How an undo treats an event.
 * - `rows`: the changes that the event made are undone (listed in docs/past.md).
 * - `nothing`: the event changed nothing that could be undone.
 * - `stays`: the event cannot be undone, for the given reason.
 */
export type Undoing = "rows" | "nothing" | { readonly stays: string };

const PROJECT_HINT = "projects are changed back by hand (svc projects)";
const notUndone = (reason: string): Undoing => ({ stays: reason });

const UNDOING: Readonly<Partial<Record<EventKind, Undoing>>> = {
  "issue.created": "rows",
  "issue.updated": "rows",
  "issue.assigned": "rows",
  "issue.unassigned": "rows",
  "issue.priority_set": "rows",
  "issue.priority_cleared": "rows",
  "issue.labeled": "rows",
  "issue.unlabeled": "rows",
  "issue.linked": "rows",
  "issue.unlinked": "rows",
  "issue.links_changed": "rows",
  "issue.commented": "rows",
  "issue.comment_edited": "rows",
  "issue.closed": "rows",
  "issue.reopened": "rows",
  "issue.soft_deleted": "rows",
  "issue.restored": "rows",
  "issue.metadata_updated": "rows",
  // This event only records what an import read. Once the other events of the import are undone, later imports ignore
  // this one too (domain/imports/base.ts).
  "issue.imported": "nothing",
  "issue.moved": "rows",
  "issue.external_root_bound": notUndone("a bridge is ended by hand (svc bridge unbind)"),
  "issue.external_root_paused": notUndone("a bridge is resumed by hand (svc bridge resume)"),
  "issue.external_root_resumed": notUndone("a bridge is paused by hand (svc bridge pause)"),
  "issue.external_root_unbound": notUndone("an issue is bound by hand (svc bridge bind)"),
  "issue.external_comment_resolved": "nothing",
  "issue.external_field_conflicted": "nothing",
  "issue.external_field_resolved": "nothing",
  "claim.acquired": "rows",
  "claim.renewed": "nothing",
  "claim.released": notUndone("a lease that was given back is acquired anew"),
  "claim.force_released": notUndone("a lease that was taken away is acquired anew"),
  "claim.expired": "nothing",
  "claim.violated": "nothing",
  "close.throttled": "nothing",
  "project.created": notUndone("a project is archived by hand (svc projects remove)"),
  "project.renamed": notUndone("a project is renamed by hand (svc projects rename)"),
  "project.alias_added": notUndone("an alias is detached by hand (svc projects detach)"),
  "project.alias_removed": notUndone("an alias comes back by svc init in its repository"),
  "project.removed": notUndone("a project is restored by hand (svc projects restore)"),
  "project.restored": notUndone("a project is archived by hand (svc projects remove)"),
  "project.metadata_updated": notUndone(PROJECT_HINT),
  "project.merged": notUndone("projects that were merged cannot be told apart again"),
  "project.author_rewritten": notUndone("names that were made one cannot be told apart again"),
  "project.federation_enabled": notUndone("daemons that have read the project keep what they read"),
  "issue.snapshot": "nothing",
  "cron.job.snapshot": "nothing",
  "cron.workflow.snapshot": "nothing",
  "cron.run.snapshot": "nothing",
  "recurrence.created": notUndone("a series is deleted by hand (svc recurrence)"),
  "recurrence.updated": notUndone("a series is changed back by hand (svc recurrence)"),
  "recurrence.deleted": notUndone("a series that was deleted is created anew"),
  "recurrence.materialized": "rows",
  "recurrence.materialization_skipped": "rows",
};

/** Columns of a series that change when one of its issues is closed. */
const PROGRESS: readonly string[] = ["next_occurrence_key", "last_materialized_uid"];

/**
 * Returns how an undo treats the event. Kinds of events that are not in `UNDOING` do not concern an issue and cannot be
 * undone.
 */
export function undoingOf({ type, payload }: Pick<StoredEvent, "type" | "payload">): Undoing {
  if (type === "recurrence.updated") {
    const { diff } = payload as Payload<"recurrence.updated">;
    // A change of these columns alone means that the series ended, or that an undo moved the series to another day. A
    // person's change of the rule changes other columns too.
    if (Object.keys(diff).every((column) => PROGRESS.includes(column))) return "rows";
  }
  return UNDOING[type] ?? { stays: "this kind of change is taken back by hand" };
}
