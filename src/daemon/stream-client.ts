import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { EventFilter } from "../domain/event-filter.ts";

/** A reader that would have more unsent bytes than this is cut off; it resumes by its cursor. One frame has no limit. */
const MAX_UNSENT_BYTES = 3_000_000;
/** While catching up: unsent bytes above which the next page waits for the reader. */
const PAGE_UNSENT_BYTES = 256 * 1024;

/**
 * One open event stream. Frames go to the socket as ready-made chunks of HTTP/1.1, so that one buffer serves every
 * reader: through `response.write` each of them would cost several times as much (performance-probe 4.3).
 */
export class StreamClient {
  /** The log has been looked through for this reader up to here. */
  cursor: number;
  readonly #socket: Socket;
  readonly #gone = new AbortController();
  #filter: EventFilter;
  #filterKey: string;
  /** What the reader knows to have. */
  #told: number;
  #seenWritten = -1;

  constructor(
    response: ServerResponse,
    socket: Socket,
    from: number,
    filter: EventFilter,
    onGone: () => void,
  ) {
    this.cursor = from;
    this.#told = from;
    this.#filter = filter;
    this.#filterKey = JSON.stringify(filter);
    this.#socket = socket;
    socket.setNoDelay(true);
    response.once("close", () => {
      this.#gone.abort();
      onGone();
    });
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "private, no-cache",
      connection: "keep-alive",
      "transfer-encoding": "chunked",
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
  }

  get open(): boolean {
    return !this.#gone.signal.aborted;
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
  sendEvents(chunk: Buffer, id: number): void {
    this.#told = id;
    this.send(chunk);
  }

  /** A reader whose filter passes much over learns how far it is, so that after a break it need not go back. */
  sendPlace(): void {
    if (this.cursor > this.#told) this.sendEvents(toChunk(`id: ${this.cursor}\n\n`), this.cursor);
  }

  send(chunk: Buffer): void {
    if (!this.open) return;
    const unsent = this.#socket.writableLength;
    if (unsent > 0 && unsent + chunk.length > MAX_UNSENT_BYTES) this.cut();
    else this.#socket.write(chunk);
  }

  /** Resolves when the reader has taken enough for another page, or is gone. */
  async ready(): Promise<void> {
    if (!this.open || this.#socket.writableLength <= PAGE_UNSENT_BYTES) return;
    const { signal } = this.#gone;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#socket.off("drain", done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#socket.once("drain", done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  /** Whether bytes are waiting and not one was taken since the last call. */
  stalled(): boolean {
    const written = this.#socket.bytesWritten - this.#socket.writableLength;
    const stalled = this.#socket.writableLength > 0 && written === this.#seenWritten;
    this.#seenWritten = written;
    return stalled;
  }

  /** Ends the stream politely: what was sent arrives. */
  end(): void {
    if (this.open) this.#socket.end(LAST_CHUNK);
  }

  cut(): void {
    this.#socket.destroy();
  }
}

const LAST_CHUNK = "0\r\n\r\n";

/** Text as one chunk of an HTTP/1.1 body. */
export function toChunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}
