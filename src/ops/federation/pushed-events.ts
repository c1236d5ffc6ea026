import { invalid, SvcError } from "../../contract/errors.ts";
import { EVENT_KINDS } from "../../contract/event-kinds.ts";
import { PushedEvent } from "../../contract/federation-transport.ts";
import type { ForeignEvent } from "../../store/types/store.ts";
import { foreignEventOf } from "./foreign-event.ts";

/** An event with the id that it has in the log of the spoke. */
export type ReceivedEvent = ForeignEvent & { readonly event_id: number };

/** The events of one request of a spoke. */
export interface PushedEvents {
  readonly events: readonly ReceivedEvent[];
  /** The highest id of these events in the log of the spoke; 0 if there are none. */
  readonly lastEventId: number;
}

/**
 * Returns the events of a request. Throws `validation`, which names the event, if an event has a wrong form, an unknown
 * kind, or another project.
 */
export function parsePushed(sent: readonly object[], project_uid: string): PushedEvents {
  const schema = PushedEvent();
  const events: ReceivedEvent[] = [];
  let lastEventId = 0;
  for (const [at, one] of sent.entries()) {
    const { data, error } = schema.safeParse(one);
    if (error !== undefined) {
      const [issue] = error.issues;
      throw invalid(`events[${at}].${issue?.path.join(".")}: ${issue?.message}`);
    }
    const refused = (why: string) => refusedEvent({ uid: data.event_uid }, why);
    if (!Object.hasOwn(EVENT_KINDS, data.type)) throw refused(`${data.type} is not known here`);
    if (data.project_uid !== project_uid) throw refused("it is of another project");
    lastEventId = Math.max(lastEventId, data.event_id);
    events.push({ ...foreignEventOf(data), event_id: data.event_id });
  }
  return { events, lastEventId };
}

/** The refusal of a batch for one of its events, which `data.event_uid` names. */
export function refusedEvent({ uid }: { readonly uid: string }, why: string): SvcError {
  return new SvcError("validation", { event_uid: uid }, { message: `event ${uid}: ${why}` });
}
