import { yieldToLoop } from "../../base/yield-to-loop.ts";
import type { pollEvents as contract } from "../../contract/activity.ts";
import { EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT } from "../../contract/limits.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { EventFilter } from "../../domain/event-filter.ts";
import type { Reader } from "../../store/types/store.ts";
import { eventsToRead, eventsWithin } from "../budget.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { envelopesOut } from "../out/events.ts";
import { DeferredField, type Streamed, StreamedRows } from "../streamed-rows.ts";
import { eventFilterOf } from "./filter.ts";
import { resetFor } from "./reset.ts";

type Needs = Pick<ReadDeps, "store" | "streams">;
type Page = Output<typeof contract>;
type Query = Input<typeof contract>["query"];

export async function pollEvents(
  deps: Needs,
  _who: Principal,
  { query }: Input<typeof contract>,
): Promise<Streamed<Page>> {
  return await pollPage(deps, query);
}

/** How many bytes of payloads are read at a time if the page is streamed. */
const SLICE_BYTES = 256 * 1024;

/**
 * Reads the page after the cursor. If the cursor is beyond the end of the log, or from before a purge, the answer is
 * `reset_required`: the reader must start anew.
 */
export async function pollPage(deps: Needs, query: Query): Promise<Streamed<Page>> {
  const after = query.after_id ?? 0;
  const limit = Math.min(query.limit ?? EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT);
  const filter = await deps.store.read(async (reader) => await eventFilterOf(reader, query));
  const parts = new Parts(deps, filter, after, eventsToRead(query, limit));
  // With `max_bytes` the answer must say whether there are more events. This is known only when the page has been read,
  // so the page is not streamed.
  if (deps.streams === true && query.max_bytes === undefined) {
    const reset = await deps.store.read(async ({ events }) => resetFor(events, filter, after));
    if (reset !== undefined) return resetPage(reset);
    return {
      reset_required: false,
      events: new StreamedRows(parts.read(SLICE_BYTES)),
      next_after_id: new DeferredField(() => parts.next),
    };
  }
  const events: Page["events"] = [];
  for await (const part of parts.read()) events.push(...part);
  if (parts.reset !== undefined) return resetPage(parts.reset);
  return eventsWithin(query, { reset_required: false, events, next_after_id: parts.next }, limit);
}

function resetPage(reset: number): Page {
  return { reset_required: true, reset_after_id: reset, events: [], next_after_id: reset };
}

type Part = Page["events"];

/**
 * Reads a page part by part and lets the event loop run between parts. `reset` is set if a purge in the meantime
 * requires the reader to start anew.
 */
class Parts {
  readonly #store: Needs["store"];
  readonly #filter: EventFilter;
  readonly #limit: number;
  #cursor: number;
  next: number;
  reset: number | undefined;

  constructor({ store }: Needs, filter: EventFilter, after: number, limit: number) {
    this.#store = store;
    this.#filter = filter;
    this.#limit = limit;
    this.#cursor = after;
    this.next = after;
  }

  async *read(maxBytes?: number): AsyncGenerator<Part, void, void> {
    const { issues, types, actors } = this.#filter;
    const narrow = (issues ?? types ?? actors) !== undefined;
    for (let count = 0; ; await yieldToLoop()) {
      const part = await this.#store.read(
        async (reader) => await this.#partOf(reader, this.#limit - count, maxBytes),
      );
      if (part === undefined) return;
      count += part.events.length;
      this.#cursor = part.upTo;
      // With a filter by issue, kind or actor, the next page begins after the part of the log that was searched;
      // otherwise it begins after the last event.
      this.next = narrow ? part.upTo : (part.events.at(-1)?.event_id ?? this.next);
      yield part.events;
      if (part.last || count >= this.#limit) return;
    }
  }

  async #partOf(reader: Reader, limit: number, maxBytes: number | undefined) {
    this.reset = await resetFor(reader.events, this.#filter, this.#cursor);
    if (this.reset !== undefined) return undefined;
    const { matching } = reader.events;
    const { events, upTo, last } = await matching(this.#filter, this.#cursor, limit, maxBytes);
    return { events: [...(await envelopesOut(reader, events))], upTo, last };
  }
}
