import type { LogMark } from "../../contract/log-mark.ts";
import type { EventFilter } from "../../domain/event-filter.ts";
import type { ReaderCursor } from "../../ops/events/reset.ts";
import { StreamChunk } from "./chunk.ts";
import type { StreamSink } from "./sinks.ts";

/**
 * A reader is disconnected if another chunk would exceed this many unsent bytes. It can connect again and continue from
 * its cursor. If no bytes are unsent, a chunk of any size is sent.
 */
const MAX_UNSENT_BYTES = 3_000_000;
/** Older events are sent to a reader page by page. The next page waits while more bytes than this are unsent. */
const PAGE_UNSENT_BYTES = 256 * 1024;

export class StreamClient {
  /** The log has been searched for this reader up to this id. */
  cursor: number;
  /** Names the log that the reader has read up to its cursor; `undefined` if the reader did not name it. */
  readonly log: LogMark | undefined;
  readonly tokenId: number | undefined;
  readonly #sink: StreamSink;
  #filter: EventFilter;
  #filterKey: string;
  /** The last id that was sent to the reader. */
  #sentId: number;
  #seenTaken = -1;

  constructor(
    sink: StreamSink,
    { cursor: from, log }: ReaderCursor,
    filter: EventFilter,
    onGone: () => void,
    tokenId?: number,
  ) {
    this.cursor = from;
    this.log = log;
    this.tokenId = tokenId;
    this.#sentId = from;
    this.#filter = filter;
    this.#filterKey = JSON.stringify(filter);
    this.#sink = sink;
    sink.gone.addEventListener("abort", onGone, { once: true });
  }

  get open(): boolean {
    return !this.#sink.gone.aborted;
  }

  get filter(): EventFilter {
    return this.#filter;
  }

  set filter(filter: EventFilter) {
    if (filter === this.#filter) return;
    this.#filter = filter;
    this.#filterKey = JSON.stringify(filter);
  }

  /** Readers with equal keys have equal filters and get the same events. */
  get filterKey(): string {
    return this.#filterKey;
  }

  sendEvents(chunk: StreamChunk, id: number): void {
    this.#sentId = id;
    this.send(chunk);
  }

  /**
   * Sends only the cursor, without an event. A reader with a narrow filter receives few events, so without this it
   * could resume only from far back.
   */
  sendCursor(): void {
    if (this.cursor > this.#sentId)
      this.sendEvents(new StreamChunk(`id: ${this.cursor}\n\n`), this.cursor);
  }

  send(chunk: StreamChunk): void {
    if (!this.open) return;
    const { unsent } = this.#sink;
    if (unsent > 0 && unsent + chunk.size > MAX_UNSENT_BYTES) this.cut();
    else this.#sink.write(chunk);
  }

  /** Resolves when the reader can take another page, or has disconnected. */
  async ready(): Promise<void> {
    if (this.open && this.#sink.unsent > PAGE_UNSENT_BYTES) await this.#sink.drained();
  }

  /** True if bytes are waiting and the reader has taken none since the last call. */
  stalled(): boolean {
    const { taken, unsent } = this.#sink;
    const stalled = unsent > 0 && taken === this.#seenTaken;
    this.#seenTaken = taken;
    return stalled;
  }

  end(): void {
    if (this.open) this.#sink.end();
  }

  cut(): void {
    this.#sink.cut();
  }
}
