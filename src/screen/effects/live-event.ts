import { describeEvent } from "../../shared/event-text.ts";
import type { StreamedEvent } from "../../shared/follow-state.ts";
import type { LiveEvent } from "../message.ts";

/** An event's description may contain a long comment, so it is cut to this many characters. */
const MAX_TEXT = 200;

/** An event of the daemon (docs/contract/events.md#12-fields), with the uids of the issues that it may have changed. */
export function liveEventOf(id: number, kind: string, event: StreamedEvent): LiveEvent {
  const uids = [event.issue_uid, event.related_issue_uid, ...uidsIn(event.payload)].filter(
    (uid) => uid !== undefined,
  );
  const { actor, created_at: at, project_id, issue_uid: uid, payload } = event;
  const description = describeEvent({ type: kind, payload }).slice(0, MAX_TEXT);
  return { id, kind, actor, at, project_id, uid, uids, description };
}

/**
 * Returns all uids in a payload, at any depth. Each kind of event has the uids of linked issues in a different place.
 */
function uidsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return ULID.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(uidsIn);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
