import type { EventFilter } from "../domain/event-filter.ts";
import { StreamChunk } from "./stream-chunk.ts";
import type { StreamSink } from "./stream-sinks.ts";

/** A reader that would have more unsent bytes than this is cut off; it resumes by its cursor. One frame has no limit. */
const MAX_UNSENT_BYTES = 3_000_000;
/** While catching up: unsent bytes above which the next page waits for the reader. */
const PAGE_UNSENT_BYTES = 256 * 1024;

/** One open event stream: what its reader knows and wants. */
export class StreamClient {
  /** The log has been looked through for this reader up to here. */
  cursor: number;
  readonly #sink: StreamSink;
  #filter: EventFilter;
  #filterKey: string;
  /** What the reader knows to have. */
  #told: number;
  #seenTaken = -1;

  constructor(sink: StreamSink, from: number, filter: EventFilter, onGone: () => void) {
    this.cursor = from;
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

  /** Events up to `id`. */
  sendEvents(chunk: StreamChunk, id: number): void {
    this.#told = id;
    this.send(chunk);
  }

  /** A reader whose filter passes much over learns how far it is, so that after a break it need not go back. */
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

  /** Resolves when the reader has taken enough for another page, or is gone. */
  async ready(): Promise<void> {
    if (this.open && this.#sink.unsent > PAGE_UNSENT_BYTES) await this.#sink.drained();
  }

  /** Whether bytes are waiting and not one was taken since the last call. */
  stalled(): boolean {
    const { taken, unsent } = this.#sink;
    const stalled = unsent > 0 && taken === this.#seenTaken;
    this.#seenTaken = taken;
    return stalled;
  }

  /** Ends the stream politely: what was sent arrives. */
  end(): void {
    if (this.open) this.#sink.end();
  }

  cut(): void {
    this.#sink.cut();
  }
}
