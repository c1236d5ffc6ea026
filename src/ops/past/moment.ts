import { type Clock, type Instant, parseInstant } from "../../base/clock.ts";
import { invalidField, type SvcError } from "../../contract/errors.ts";
import type { Reader } from "../../store/types/store.ts";

/** A moment of the past: just after the event `event_id` arrived. Planning dates are compared with `at`. */
export type PastMoment = {
  readonly event_id: number;
  readonly at: Instant;
};

/**
 * Parses `at`: the id of an event, or an instant, which means the last event up to that instant. Throws for the future.
 */
export async function momentOf(
  reader: Reader,
  text: string,
  clock: Pick<Clock, "now">,
): Promise<PastMoment> {
  if (/^\d{1,15}$/.test(text)) {
    const last = await reader.events.lastId();
    const id = Number(text);
    if (id > last) throw invalid(`the log ends at event ${last}`);
    const event = await reader.past.lastUpTo(id);
    return { event_id: event?.id ?? 0, at: event?.created_at ?? BEGINNING };
  }
  const at = parseInstant(text);
  if (at === undefined) throw invalid("must be an RFC 3339 instant or the number of an event");
  if (at > clock.now()) throw invalid("must not lie ahead");
  return { event_id: (await reader.past.lastAt(at))?.id ?? 0, at };
}

const BEGINNING = "0001-01-01T00:00:00.000Z";

function invalid(message: string): SvcError {
  return invalidField("at", message);
}
