import type { EventDraft } from "../../contract/events.ts";
import {
  hostWarning,
  ownedEdits,
  type Removed,
  type Synced,
} from "../../domain/issue-sync/owned.ts";

interface EditedIssue {
  readonly short_id: string;
  readonly synced?: Synced;
}

/** The member `warnings` of the answer to an edit; empty if there is nothing to warn of. */
export function warningsOf(
  { synced, short_id }: EditedIssue,
  events: readonly Pick<EventDraft, "type" | "payload">[],
  removed?: Removed,
) {
  const fields = synced === undefined ? [] : ownedEdits(events, removed);
  if (synced === undefined || fields.length === 0) return {};
  return { warnings: [hostWarning(synced, fields, short_id)] };
}
