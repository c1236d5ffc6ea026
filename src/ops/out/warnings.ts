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

/** The member `warnings` of the answer to an edit, with `more` of them; empty if there is nothing to warn of. */
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

/** The member `warnings` of an answer; empty if there is none. */
export function warningsOut(warnings: readonly Warning[]) {
  return warnings.length === 0 ? {} : { warnings: warnings.map(copyOf) };
}

/** Answers may have further members, so their types are not those of `Warning`. */
function copyOf({ code, message }: Warning) {
  return { code, message };
}
