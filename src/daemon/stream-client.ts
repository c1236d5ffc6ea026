import type { EventFilter } from "../domain/event-filter.ts";
import { StreamChunk } from "./stream-chunk.ts";
import type { StreamSink } from "./stream-sinks.ts";

/**
 * A reader for which more bytes than this would be waiting is disconnected; it can reconnect and continue from its
 * cursor. If nothing is waiting, a chunk of any size is sent.
 */
const MAX_UNSENT_BYTES = 3_000_000;
/**
 * While a reader is sent older events, page by page, the next page waits as long as more bytes than this are unsent.
 */
const PAGE_UNSENT_BYTES = 256 * 1024;

export class StreamClient {
  /** The log has been searched for this reader up to this id. */
  cursor: number;
  /** The token with which the stream was opened. */
  readonly tokenId: number | undefined;
  readonly #sink: StreamSink;
  #filter: EventFilter;
  #filterKey: string;
  /** The last id that was sent to the reader. */
  #told: number;
  #seenTaken = -1;

  constructor(
    sink: StreamSink,
    from: number,
    filter: EventFilter,
    onGone: () => void,
    tokenId?: number,
  ) {
    this.cursor = from;
    this.tokenId = tokenId;
    this.#told = from;
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

  /** Readers with equal keys get the same events. */
  get filterKey(): string {
    return this.#filterKey;
  }

  sendEvents(chunk: StreamChunk, id: number): void {
    this.#told = id;
    this.send(chunk);
  }

  /**
   * Sends the reader's place in the log without an event. A reader with a narrow filter receives few events, so without
   * this it could resume only from far back.
   */
  sendPlace(): void {
    if (this.cursor > this.#told)
      this.sendEvents(new StreamChunk(`id: ${this.cursor}\n\n`), this.cursor);
  }

  send(chunk: StreamChunk): void {
    if (!this.open) return;
    const { unsent } = this.#sink;
    if (unsent > 0 && unsent + chunk.size > MAX_UNSENT_BYTES) this.cut();
    else this.#sink.write(chunk);
  }

  /** Resolves when the reader can take another page, or is gone. */
  async ready(): Promise<void> {
    if (this.open && this.#sink.unsent > PAGE_UNSENT_BYTES) await this.#sink.drained();
  }

  /** True if bytes are waiting and none was taken since the last call. */
  stalled(): boolean {
    const { taken, unsent } = this.#sink;
    const stalled = unsent > 0 && taken === this.#seenTaken;
    this.#seenTaken = taken;
    return stalled;
  }

  /** Ends the stream after what was sent has arrived. */
  end(): void {
    if (this.open) this.#sink.end();
  }

  cut(): void {
    this.#sink.cut();
  }
}
