import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Pieces } from "../replies/pieces.ts";
import { NO_SNIFF } from "../replies/reply.ts";
import type { StreamChunk } from "./chunk.ts";

export interface StreamSink {
  readonly unsent: number;
  readonly taken: number;
  /** Aborted when the reader is gone or the stream has ended. */
  readonly gone: AbortSignal;
  write(chunk: StreamChunk): void;
  drained(): Promise<void>;
  /** Ends the stream once everything that was written has arrived. */
  end(): void;
  cut(): void;
}

export const STREAM_HEADERS = {
  ...NO_SNIFF,
  "content-type": "text/event-stream",
  "cache-control": "private, no-cache",
  "x-accel-buffering": "no",
} as const;

export type StreamHeaders = Readonly<Record<string, string>>;

export class SocketSink implements StreamSink {
  readonly #socket: Socket;
  readonly #gone = new AbortController();

  constructor(response: ServerResponse, socket: Socket, headers: StreamHeaders) {
    this.#socket = socket;
    socket.setNoDelay(true);
    response.once("close", () => this.#gone.abort());
    const framing = { connection: "keep-alive", "transfer-encoding": "chunked" };
    response.writeHead(200, { ...headers, ...framing });
    response.flushHeaders();
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get unsent(): number {
    return this.#socket.writableLength;
  }

  get taken(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  write(chunk: StreamChunk): void {
    this.#socket.write(chunk.framed);
  }

  async drained(): Promise<void> {
    if (this.gone.aborted || this.unsent === 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#socket.off("drain", done);
        this.gone.removeEventListener("abort", done);
        resolve();
      };
      this.#socket.once("drain", done);
      this.gone.addEventListener("abort", done, { once: true });
    });
  }

  end(): void {
    this.#socket.end(LAST_CHUNK);
  }

  cut(): void {
    this.#socket.destroy();
  }
}

const LAST_CHUNK = "0\r\n\r\n";

type Next = IteratorResult<Uint8Array, void>;

/** An event stream as the pieces of a body, for a reader that is not connected to one of the daemon's sockets. */
export class PiecesSink implements StreamSink, Pieces {
  readonly #gone = new AbortController();
  readonly #waiting: Buffer[] = [];
  #pendingRead: { resolve(next: Next): void; reject(fault: Error): void } | undefined;
  #letOn = (): void => undefined;
  #ended = false;
  #fault: Error | undefined;
  unsent = 0;
  taken = 0;

  constructor(left: AbortSignal) {
    if (left.aborted) this.#close();
    else left.addEventListener("abort", () => this.cut(), { once: true, signal: this.gone });
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  write({ bytes }: StreamChunk): void {
    if (this.#ended) return;
    this.#waiting.push(bytes);
    this.unsent += bytes.byteLength;
    this.#answer();
  }

  async drained(): Promise<void> {
    if (this.gone.aborted || this.unsent === 0) return;
    await new Promise<void>((resolve) => {
      this.#letOn = resolve;
    });
  }

  end(): void {
    this.#ended = true;
    this.#answer();
  }

  cut(): void {
    this.#fault ??= new Error("the event stream was cut off");
    this.#waiting.length = 0;
    this.end();
  }

  async next(): Promise<Next> {
    return await new Promise((resolve, reject) => {
      this.#pendingRead = { resolve, reject };
      this.#answer();
    });
  }

  async return(): Promise<Next> {
    this.#waiting.length = 0;
    this.end();
    this.#close();
    return { done: true, value: undefined };
  }

  async throw(fault: unknown): Promise<Next> {
    await this.return();
    throw fault;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #answer(): void {
    const pendingRead = this.#pendingRead;
    const bytes = this.#waiting[0];
    if (bytes === undefined && this.#ended) this.#close();
    if (pendingRead === undefined || (bytes === undefined && !this.#ended)) return;
    this.#pendingRead = undefined;
    if (bytes !== undefined) pendingRead.resolve({ done: false, value: this.#take(bytes) });
    else if (this.#fault !== undefined) pendingRead.reject(this.#fault);
    else pendingRead.resolve({ done: true, value: undefined });
  }

  #take(bytes: Buffer): Buffer {
    this.#waiting.shift();
    this.unsent -= bytes.byteLength;
    this.taken += bytes.byteLength;
    if (this.unsent === 0) this.#letOn();
    if (this.#ended && this.#waiting.length === 0) this.#close();
    return bytes;
  }

  #close(): void {
    this.#ended = true;
    this.#gone.abort();
    this.#letOn();
  }
}
