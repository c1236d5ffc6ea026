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
import { judgeCursor, type ReaderCursor, sentLog } from "./reset.ts";

type PollDeps = Pick<ReadDeps, "store" | "streams">;
type Page = Output<typeof contract>;
type Query = Input<typeof contract>["query"];
type Headers = Input<typeof contract>["headers"];

export async function pollEvents(
  deps: PollDeps,
  _who: Principal,
  { query, headers }: Input<typeof contract>,
): Promise<Streamed<Page>> {
  return await pollPage(deps, query, headers);
}

/** How many bytes of payloads are read at a time if the page is streamed. */
const SLICE_BYTES = 256 * 1024;

/**
 * Reads the page after the cursor. If the cursor is of another log, or from before a purge, the answer is
 * `reset_required`: the reader must start over.
 */
export async function pollPage(
  deps: PollDeps,
  query: Query,
  headers: Headers,
): Promise<Streamed<Page>> {
  const after = { cursor: query.after_id ?? 0, log: sentLog(headers["x-svc-log"]) };
  const limit = Math.min(query.limit ?? EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT);
  const filter = await deps.store.read(async (reader) => await eventFilterOf(reader, query));
  const parts = new PageParts(deps, filter, after, eventsToRead(query, limit));
  // With `max_bytes` the answer must say whether there are more events. This is known only when the page has been read,
  // so the page is not streamed.
  if (deps.streams === true && query.max_bytes === undefined) {
    const { reset, epoch } = await deps.store.read(
      async ({ events }) => await judgeCursor(events, filter, after),
    );
    if (reset !== undefined) return resetPage(reset, epoch);
    return {
      reset_required: false,
      events: new StreamedRows(parts.read(SLICE_BYTES)),
      next_after_id: new DeferredField(() => parts.next),
      epoch,
    };
  }
  const events: Page["events"] = [];
  for await (const part of parts.read()) events.push(...part);
  const { reset, next, epoch } = parts;
  if (reset !== undefined) return resetPage(reset, epoch);
  const page = { reset_required: false, events, next_after_id: next, epoch };
  return eventsWithin(query, page, limit);
}

function resetPage(reset: number, epoch: string): Page {
  return { reset_required: true, reset_after_id: reset, events: [], next_after_id: reset, epoch };
}

type PagePart = Page["events"];

/** Reads a page in parts, and lets the event loop run between them. `reset` is set if the reader must start over. */
class PageParts {
  readonly #store: PollDeps["store"];
  readonly #filter: EventFilter;
  readonly #limit: number;
  #standing: ReaderCursor;
  next: number;
  reset: number | undefined;
  epoch = "";

  constructor({ store }: PollDeps, filter: EventFilter, after: ReaderCursor, limit: number) {
    this.#store = store;
    this.#filter = filter;
    this.#limit = limit;
    this.#standing = after;
    this.next = after.cursor;
  }

  async *read(maxBytes?: number): AsyncGenerator<PagePart, void, void> {
    for (let count = 0; ; await yieldToLoop()) {
      const part = await this.#store.read(
        async (reader) => await this.#partOf(reader, this.#limit - count, maxBytes),
      );
      if (part === undefined) return;
      count += part.events.length;
      this.#standing = { cursor: part.upTo, log: { epoch: this.epoch } };
      this.next = part.next;
      yield part.events;
      if (part.last || count >= this.#limit) return;
    }
  }

  async #partOf(reader: Reader, limit: number, maxBytes: number | undefined) {
    const { cursor } = this.#standing;
    const judged = await judgeCursor(reader.events, this.#filter, this.#standing);
    this.reset = judged.reset;
    this.epoch = judged.epoch;
    if (this.reset !== undefined) return undefined;
    const { matching } = reader.events;
    const { events, ...page } = await matching(this.#filter, cursor, limit, maxBytes);
    return { events: [...(await envelopesOut(reader, events))], ...page };
  }
}
