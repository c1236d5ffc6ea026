import type { EventKind, Payload } from "../contract/events.ts";
import { PROGRESS_PREFIX } from "./cron/progress.ts";
import { isNote } from "./imports/base.ts";
import { SLOT_PREFIX } from "./inbox/slot.ts";

const COMMENTS: ReadonlySet<string> = new Set(["issue.commented", "issue.comment_edited"]);

interface DraftedEvent {
  readonly type: EventKind;
  readonly payload: object;
}

/** Whether only the holder of a lease on its issue may write the event. */
export function needsLease(event: DraftedEvent): boolean {
  return isGated(event, false);
}

/** Whether the event must fit the lease of its issue. `fenced`: the request names the fence of a lease. */
export function isGated(draft: DraftedEvent, fenced: boolean): boolean {
  const { type } = draft;
  if (type === "issue.created" || type.startsWith("claim.")) return false;
  // A bridge is administered, whoever works on its issue.
  if (type.startsWith("issue.external_")) return false;
  if (isNote(draft)) return false;
  return fenced || !(COMMENTS.has(type) || isRequest(draft));
}

/**
 * True if the event changes only requests for attention, which anybody may set or clear, or checkpoints of recurring
 * jobs, which do not interfere with work on the issue that stores them.
 */
function isRequest({ type, payload }: DraftedEvent): boolean {
  if (type !== "issue.metadata_updated") return false;
  const { diff } = payload as Payload<typeof type>;
  return Object.keys(diff).every(
    (key) => key.startsWith(SLOT_PREFIX) || key.startsWith(PROGRESS_PREFIX),
  );
}
