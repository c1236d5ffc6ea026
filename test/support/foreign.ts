import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import type { EventDraft, EventKind, Payload, StoredEvent } from "../../src/contract/events.ts";
import { admitAs, baseline, type Clocked, ForeignEvents } from "../store/foreign-events.ts";
import type { World } from "./world.ts";

export const MINUTE = 60_000;

interface OnIssue {
  readonly uid: string;
  readonly project_uid?: string | undefined;
}

/** An event about the issue, as another daemon writes it. */
export function about<K extends EventKind>(
  { uid: issue_uid, project_uid = "" }: OnIssue,
  type: K,
  actor: string,
  payload: Payload<K>,
): EventDraft<K> {
  return { type, actor, project_uid, issue_uid, payload } as EventDraft<K>;
}

/** An edit of the title that says which title it replaced, as every edit does. */
export function retitled(issue: OnIssue, actor: string, title: string, old_title?: string) {
  const before = old_title === undefined ? {} : { old_title };
  return about(issue, "issue.updated", actor, { title, ...before, updated_at: "" });
}

/**
 * Adds events that other daemons wrote. `after` is milliseconds after the time of the world's clock at this call. The
 * `updated_at` of a payload becomes the time of its event.
 */
export function otherDaemons(w: Pick<World, "store" | "clock">) {
  const made = new ForeignEvents();
  const start = instantToMs(w.clock.now());
  const add = async (
    fromHub: boolean,
    draft: EventDraft,
    after: number,
    more: Partial<Clocked>,
  ): Promise<StoredEvent> => {
    const updated_at = msToInstant(start + after);
    const payload =
      "updated_at" in draft.payload ? { ...draft.payload, updated_at } : draft.payload;
    const timed = { ...draft, payload } as EventDraft;
    const event = made.next(timed, { hlc_physical_ms: start + after, ...more });
    await admitAs(w.store, { fromHub, ownUpTo: 0 }, event);
    const stored = await w.store.read(async ({ events }) => await events.find(event.uid));
    if (stored === undefined) throw new Error("it was added");
    return stored;
  };
  return {
    start,
    /** Adds an event as a hub gets it from a spoke. */
    pushed: async (draft: EventDraft, after: number, more: Partial<Clocked> = {}) =>
      await add(false, draft, after, more),
    /** Adds an event as a copy reads it from its hub. */
    pulled: async (draft: EventDraft, after: number, hub_event_id: number, more = {}) =>
      await add(true, draft, after, { hub_event_id, ...more }),
    /** Adds the first event of a baseline, which the hub wrote as its event 1. */
    baselined: async (project_uid: string) =>
      await add(true, baseline(project_uid), 0, { hub_event_id: 1 }),
  };
}
