import type { EventDraft } from "../../contract/events.ts";
import {
  hostWarning,
  ownedEdits,
  type RemovedFromHost,
  type SyncedIssue,
} from "../../domain/issue-sync/owned.ts";

interface EditedIssue {
  readonly short_id: string;
  readonly synced?: SyncedIssue;
}

interface Warning {
  readonly code: string;
  readonly message: string;
}

/**
 * Returns the member `warnings` of the answer to an edit: a warning if a code host will overwrite the edit, and then
 * the warnings in `more`. Returns an empty object if there are none.
 */
export function warningsOf(
  { synced, short_id }: EditedIssue,
  events: readonly Pick<EventDraft, "type" | "payload">[],
  removed?: RemovedFromHost,
  more: readonly Warning[] = [],
) {
  const fields = synced === undefined ? [] : ownedEdits(events, removed);
  if (synced === undefined || fields.length === 0) return warningsOut(more);
  return { warnings: [hostWarning(synced, fields, short_id), ...more.map(copyOf)] };
}

/** Returns the member `warnings` of an answer; an empty object if there are none. */
export function warningsOut(warnings: readonly Warning[]) {
  return warnings.length === 0 ? {} : { warnings: warnings.map(copyOf) };
}

/** Makes a new object, because the type of a warning in an answer allows further members and `Warning` does not. */
function copyOf({ code, message }: Warning) {
  return { code, message };
}
