import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** More unsent bytes than this and the reader is cut off; it resumes by its cursor. */
const MAX_UNSENT_BYTES = 1_000_000;
/** While catching up: unsent bytes above which the next page waits for the reader. */
const PAGE_UNSENT_BYTES = 256 * 1024;

/**
 * One open event stream. Frames go to the socket as ready-made chunks of HTTP/1.1, so that one buffer serves every
 * reader: through `response.write` each of them would cost several times as much (performance-probe 4.3).
 */
export class StreamClient {
  /** Only events of this project, when given. */
  readonly projectUid: string | undefined;
  /** Id of the last event this reader has. */
  cursor: number;
  readonly #socket: Socket;
  readonly #gone = new AbortController();
  #seenWritten = -1;

  constructor(
    response: ServerResponse,
    socket: Socket,
    from: number,
    projectUid: string | undefined,
    onGone: () => void,
  ) {
    this.cursor = from;
    this.projectUid = projectUid;
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

  send(chunk: Buffer): void {
    if (!this.open) return;
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.cut();
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
