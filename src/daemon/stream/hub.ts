import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { EventFilter } from "../../domain/event-filter.ts";
import { isOtherLog, judgeCursor, type ReaderCursor } from "../../ops/events/reset.ts";
import type { LogPlace } from "../../store/types/events.ts";
import type { Reader, Store } from "../../store/types/store.ts";
import { StreamChunk } from "./chunk.ts";
import type { StreamClient } from "./client.ts";
import {
  type Envelope,
  type Frame,
  lastResetAfter,
  type Reset,
  type Selection,
  selectionFor,
  toFrame,
} from "./frames.ts";
import { StreamTokens } from "./tokens.ts";

/** A part of the event log. A reader that has received it has the cursor `upTo`. */
interface FramePage {
  readonly frames: readonly Frame[];
  readonly upTo: number;
  readonly last: boolean;
  readonly resets: readonly Reset[];
  /** What is known about the log at the cursor after which this page begins. */
  readonly place: LogPlace;
  /** The cursor of a reader that has received the page, and the log to which it belongs. */
  readonly standing: ReaderCursor;
}

export interface HubDeps {
  readonly store: Pick<Store, "read" | "readOne" | "onCommit">;
  readonly clock: Clock;
  readonly log: Log;
  /** Converts events to the form in which they are sent, with current short ids and project names. */
  envelopes(reader: Reader, events: readonly StoredEvent[]): Promise<readonly Envelope[]>;
}

/**
 * The maximum number of events in one read of the log (docs/contract/http-api.md#54-the-stream). The events of one read
 * are sent as one chunk of a stream.
 */
const BATCH = 1000;
/** The maximum number of bytes of payloads in one read of the log. */
const BATCH_BYTES = 500_000;
/** A reader that missed more events than this must load everything again (docs/contract/http-api.md#54-the-stream). */
const MAX_BEHIND = 10_000;
const TICK_MS = 5_000;
const TICKS_PER_HEARTBEAT = 5;

/** How long a reader may take to receive the last bytes of its stream. */
const END_MS = 300;

/**
 * Sends each committed event to every open stream. Each commit is read and encoded once, and readers with equal filters
 * share one buffer. A new stream first reads the log up to its end and then joins the others.
 */
export class EventHub {
  readonly #deps: HubDeps;
  readonly #open = new Set<StreamClient>();
  readonly #live = new Set<StreamClient>();
  readonly #tokens: StreamTokens;
  readonly #unsubscribe: () => void;
  readonly #closed = new AbortController();
  /** The cursor of all streams in `#live`, and the log to which it belongs. */
  #standing: ReaderCursor = { cursor: 0 };
  #target = 0;
  /**
   * True after a commit with an id that the streams have already passed. The log may then have been replaced by an
   * older one.
   */
  #isDoubtful = false;
  #pumping = false;
  #ticking = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.#tokens = new StreamTokens(deps);
    this.#unsubscribe = deps.store.onCommit((lastId) => {
      this.#target = Math.max(this.#target, lastId);
      this.#isDoubtful ||= lastId < this.#standing.cursor;
      void this.#pump();
    });
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Serves one stream: sends a first line, checks whether the reader must load everything again, sends the events that
   * the reader has missed, and then adds the stream to `#live` (docs/contract/http-api.md#54-the-stream).
   */
  async serve(client: StreamClient): Promise<void> {
    this.#open.add(client);
    this.#tokens.watch(client);
    void this.#tick();
    client.send(new StreamChunk(": connected\n\n"));
    try {
      await this.#catchUp(client);
    } catch (error) {
      this.#deps.log.error("stream.failed", { error });
      client.cut();
    }
    if (!client.open) this.remove(client);
  }

  remove(client: StreamClient): void {
    this.#open.delete(client);
    this.#live.delete(client);
    this.#tokens.forget(client);
  }

  close(): void {
    this.#unsubscribe();
    this.#tokens.close();
    this.#closed.abort();
    for (const client of this.#open) client.end();
    this.#live.clear();
    void this.#cutUnread();
  }

  /**
   * Disconnects readers that do not read. Otherwise the daemon would wait until they have received the end of their
   * stream.
   */
  async #cutUnread(): Promise<void> {
    if (this.#open.size === 0) return;
    await this.#deps.clock.sleep(END_MS);
    for (const client of this.#open) client.cut();
  }

  async #catchUp(client: StreamClient): Promise<void> {
    const { store } = this.#deps;
    const { cursor, filter, log } = client;
    const start = await store.read(
      async ({ events }) => await judgeCursor(events, filter, { cursor, log }),
    );
    const { reset: judged, last_event_id: mark, epoch } = start;
    if (judged !== undefined) return this.#reset(client, judged);
    if (await this.#isTooFarBehind(client, mark)) return this.#reset(client, mark);
    let standing: ReaderCursor = { cursor, log: { epoch } };
    while (client.open && !this.#closed.signal.aborted) {
      const page = await this.#read(client.cursor, client.filter);
      if (isOtherLog(page.place, standing)) return this.#reset(client, page.place.last_event_id);
      const reset = lastResetAfter(page.resets, client);
      if (reset !== undefined) return this.#reset(client, reset);
      this.#send(client, page.frames);
      client.cursor = page.upTo;
      ({ standing } = page);
      if (page.last && this.#join(client, standing)) return client.sendCursor();
      await client.ready();
      await yieldToLoop();
    }
  }

  /**
   * Whether the reader has missed more than `MAX_BEHIND` events. Without a filter, that is the difference of the ids,
   * since only purges leave gaps in them and only snapshots are not sent. With a filter, the matching events are
   * counted.
   */
  async #isTooFarBehind(client: StreamClient, mark: number): Promise<boolean> {
    if (mark - client.cursor <= MAX_BEHIND) return false;
    const { filter } = client;
    if (Object.keys(filter).length === 0) return true;
    const { store } = this.#deps;
    let cursor = client.cursor;
    for (let seen = 0; seen <= MAX_BEHIND; await yieldToLoop()) {
      const after = cursor;
      const page = await store.read(
        async ({ events }) => await events.matching(filter, after, BATCH, BATCH_BYTES),
      );
      seen += page.events.length;
      if (page.last) return seen > MAX_BEHIND;
      cursor = page.upTo;
    }
    return true;
  }

  #join(client: StreamClient, standing: ReaderCursor): boolean {
    if (!client.open || this.#closed.signal.aborted) return true;
    if (this.#live.size === 0 && !this.#pumping) this.#standing = standing;
    if (client.cursor < this.#standing.cursor) return false;
    this.#live.add(client);
    void this.#pump();
    return true;
  }

  async #pump(): Promise<void> {
    if (this.#pumping || this.#live.size === 0) return;
    this.#pumping = true;
    try {
      while (this.#live.size > 0 && (this.#isBehind || this.#isDoubtful)) {
        this.#isDoubtful = false;
        await this.#distribute();
        // Let the sockets send. Otherwise readers that do read would look stalled.
        if (this.#isBehind) await yieldToLoop();
      }
    } catch (error) {
      this.#deps.log.error("stream.failed", { error });
      for (const client of this.#live) client.cut();
    } finally {
      this.#pumping = false;
    }
  }

  get #isBehind(): boolean {
    return this.#standing.cursor < this.#target;
  }

  async #distribute(): Promise<void> {
    const before = this.#standing;
    const first = before.cursor;
    const { frames, upTo, resets, place, standing } = await this.#read(first, {});
    if (isOtherLog(place, before)) return this.#startAnew(place);
    this.#standing = standing;
    const shared = new Map<string, Selection>();
    for (const client of this.#live) {
      const { cursor, filterKey } = client;
      const key = cursor > first ? `${cursor} ${filterKey}` : filterKey;
      const selection = shared.get(key) ?? selectionFor(client, frames);
      shared.set(key, selection);
      if (selection.chunk !== undefined) client.sendEvents(selection.chunk, selection.lastId);
      client.filter = selection.filter;
      const reset = lastResetAfter(resets, client);
      client.cursor = Math.max(client.cursor, upTo);
      if (reset !== undefined) this.#reset(client, reset);
      else if (selection.ends) this.#reset(client, upTo);
    }
  }

  /** Makes all readers load everything again, because the log is not the one that they have read. */
  #startAnew({ last_event_id: last, epoch }: LogPlace): void {
    this.#standing = { cursor: last, log: { epoch } };
    this.#target = last;
    for (const client of this.#live) this.#reset(client, last);
  }

  #send(client: StreamClient, frames: readonly Frame[]): void {
    const { chunk, lastId, filter } = selectionFor(client, frames);
    if (chunk !== undefined) client.sendEvents(chunk, lastId);
    client.filter = filter;
  }

  /**
   * Tells the reader to drop what it knows, to load everything again, and to resume from `id`
   * (docs/contract/http-api.md#53-purge-and-reset).
   */
  #reset(client: StreamClient, id: number): void {
    const data = JSON.stringify({ event_id: id, reset_after_id: id });
    client.send(new StreamChunk(`id: ${id}\nevent: sync.reset_required\ndata: ${data}\n\n`));
    client.end();
    this.remove(client);
  }

  async #read(after: number, filter: EventFilter): Promise<FramePage> {
    return await this.#deps.store.read(async (reader) => {
      const place = await reader.events.place(after);
      const { events, upTo, last } = await reader.events.matching(
        filter,
        after,
        BATCH,
        BATCH_BYTES,
      );
      const envelopes = await this.#deps.envelopes(reader, events);
      const resets = await reader.events.resetsAfter(after);
      const cursor = Math.max(upTo, after);
      const end = events.at(-1);
      const chain = end?.id === cursor ? end.chain : undefined;
      const standing = { cursor, log: { epoch: place.epoch, chain } };
      return { frames: envelopes.map(toFrame), upTo: cursor, last, resets, place, standing };
    });
  }

  /**
   * Sends heartbeats, and disconnects each reader that has taken no bytes since the last tick although some are
   * waiting. So bytes wait for at most two ticks: 10 s, the limit of docs/contract/http-api.md#54-the-stream.
   */
  async #tick(): Promise<void> {
    if (this.#ticking) return;
    this.#ticking = true;
    for (let tick = 1; this.#open.size > 0 && !this.#closed.signal.aborted; tick++) {
      await this.#deps.clock.sleep(TICK_MS, this.#closed.signal);
      for (const client of this.#open) {
        if (client.stalled()) client.cut();
        else if (tick % TICKS_PER_HEARTBEAT === 0) {
          client.send(HEARTBEAT);
          client.sendCursor();
        }
      }
    }
    this.#ticking = false;
  }
}

const HEARTBEAT = new StreamChunk(": keepalive\n\n");
