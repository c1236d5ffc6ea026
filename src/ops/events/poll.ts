import { turn } from "../../base/turn.ts";
import type { pollEvents as contract } from "../../contract/activity.ts";
import { EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT } from "../../contract/limits.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { EventFilter } from "../../domain/event-filter.ts";
import type { Reader } from "../../store/types.ts";
import type { Deps, Principal } from "../deps.ts";
import { envelopesOut } from "../out/events.ts";
import { type EventQuery, eventFilterOf } from "./filter.ts";

type Page = Output<typeof contract>;
type Query = EventQuery & {
  readonly after_id?: number | undefined;
  readonly limit?: number | undefined;
};

export async function pollEvents(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { query }: Input<typeof contract>,
): Promise<Page> {
  return await pollPage(deps, query);
}

/** One page after the cursor; a cursor from before a purge must start anew (facts http-api 5.3). */
export async function pollPage({ store }: Pick<Deps, "store">, query: Query): Promise<Page> {
  const after = query.after_id ?? 0;
  const limit = Math.min(query.limit ?? EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT);
  const filter = await store.read(async (reader) => await eventFilterOf(reader, query));
  const narrow = (filter.issues ?? filter.types ?? filter.actors) !== undefined;
  const events: Page["events"] = [];
  for (let cursor = after; ; await turn()) {
    const part = await store.read(
      async (reader) => await partAfter(reader, filter, cursor, limit - events.length),
    );
    if ("reset" in part) {
      const { reset } = part;
      return { reset_required: true, reset_after_id: reset, events: [], next_after_id: reset };
    }
    events.push(...part.events);
    cursor = part.upTo;
    if (!part.last && events.length < limit) continue;
    // What a filter passed over need not be looked through again; without one a reader goes on where it is.
    const next = narrow ? cursor : (events.at(-1)?.event_id ?? after);
    return { reset_required: false, events, next_after_id: next };
  }
}

async function partAfter(reader: Reader, filter: EventFilter, cursor: number, limit: number) {
  const reset = await reader.events.resetAfter(filter.projects);
  if (cursor < reset) return { reset };
  const { events, upTo, last } = await reader.events.matching(filter, cursor, limit);
  return { events: await envelopesOut(reader, events), upTo, last };
}
