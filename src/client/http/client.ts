import type { Socket } from "node:net";
import { type Clock, systemClock } from "../../base/clock.ts";
import { PieceQueue } from "./piece-queue.ts";
import { type Limits, readResponse, type Sink } from "./read-response.ts";
import { encodeRequest, type HttpRequest } from "./request.ts";
import type { ResponseHead } from "./response.ts";
import { type Address, connectedEvent, openSocket } from "./socket.ts";
import { listen } from "./socket-listeners.ts";

export interface HttpResponse extends ResponseHead {
  readonly body: Buffer;
}

export interface HttpStream extends ResponseHead {
  readonly pieces: AsyncIterable<Buffer>;
}

/**
 * A stream that is silent for this long is dead: three heartbeats, one every 25 seconds, are missing
 * (docs/contract/http-api.md#54-the-stream).
 */
const SILENCE_MS = 80_000;

/**
 * The time limit for the body of an answer that is not a stream. The daemon has the same limit
 * (`src/daemon/replies/unread.ts`).
 */
export const MAX_BODY_MS = 600_000;

/** If more pieces of a stream than this wait to be read, the socket is paused. */
const MAX_QUEUED = 64;

/** A connection that was idle for longer is not used again, because the server may close it at that moment. */
const MAX_IDLE_MS = 2000;

/** An HTTP/1.1 client for one address. Idle connections are kept, without keeping the process alive. */
export class HttpClient {
  readonly #address: Address;
  readonly #clock: Clock;
  readonly #idle: IdleSocket[] = [];

  constructor(address: Address, clock: Clock = systemClock) {
    this.#address = address;
    this.#clock = clock;
  }

  /**
   * Sends a request and reads the whole answer. `timeoutMs` limits the wait for the head and for each piece of the
   * body, so a large answer may take longer, up to `MAX_BODY_MS`. With `fresh`, a new connection is opened, because the
   * server may close a kept-alive connection just when it is used, and then nobody knows whether the request was read.
   * `signal` ends the request by closing its connection.
   */
  async request(
    request: HttpRequest,
    timeoutMs: number,
    fresh = false,
    signal?: AbortSignal,
  ): Promise<HttpResponse> {
    signal?.throwIfAborted();
    const pieces: Buffer[] = [];
    let head: ResponseHead = { status: 0, headers: {} };
    const sink: Sink = {
      onHead: (received) => {
        head = received;
      },
      onBody: (piece) => pieces.push(piece),
    };
    const limits = { headMs: timeoutMs, silenceMs: timeoutMs, bodyMs: MAX_BODY_MS };
    const { socket, ended } = await this.#exchange(request, limits, sink, fresh);
    const stop = (): void => void socket.destroy();
    signal?.addEventListener("abort", stop, { once: true });
    await ended.finally(() => signal?.removeEventListener("abort", stop));
    const [only] = pieces;
    return {
      ...head,
      body: pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces),
    };
  }

  /**
   * Sends a request and returns the answer as a stream. `timeoutMs` limits the wait for the head, `SILENCE_MS` the wait
   * for each piece of the body. `signal` ends the stream.
   */
  async stream(request: HttpRequest, timeoutMs: number, signal: AbortSignal): Promise<HttpStream> {
    signal.throwIfAborted();
    const queue = new PieceQueue();
    let onHead: (head: ResponseHead) => void = ignore;
    let onFault: (error: unknown) => void = ignore;
    const head = new Promise<ResponseHead>((resolve, reject) => {
      onHead = resolve;
      onFault = reject;
    });
    const limits = { headMs: timeoutMs, silenceMs: SILENCE_MS, bodyMs: Infinity };
    const { socket, ended } = await this.#exchange(request, limits, {
      onHead,
      onBody: (piece) => {
        if (queue.push(piece) > MAX_QUEUED) socket.pause();
      },
    });
    const stop = (): void => void socket.destroy();
    signal.addEventListener("abort", stop, { once: true });
    queue.onEmpty = () => socket.resume();
    void ended.then(
      () => queue.end(),
      (error: unknown) => {
        onFault(error);
        queue.end(error);
      },
    );
    void ended.catch(ignore).then(() => signal.removeEventListener("abort", stop));
    return { ...(await head), pieces: queue.read(stop) };
  }

  close(): void {
    for (const { socket } of this.#idle.splice(0)) socket.destroy();
  }

  async #exchange(
    request: HttpRequest,
    limits: Limits,
    sink: Sink,
    fresh = false,
  ): Promise<Exchange> {
    const bytes = encodeRequest(request);
    const kept = fresh ? undefined : this.#takeIdle();
    const socket = kept ?? (await openSocket(this.#address));
    const progress = { sent: kept !== undefined };
    if (kept === undefined) {
      // Without this listener, an error on an idle connection would end the process.
      socket.on("error", ignore);
      socket.once(connectedEvent(this.#address), () => {
        // If the socket was destroyed because the server's certificate is wrong, the request was not sent.
        progress.sent = !socket.destroyed;
      });
    }
    const { method } = request;
    const ended = readResponse(socket, { method, limits, sink, progress, clock: this.#clock });
    void ended.then((reusable) => (reusable ? this.#keepIdle(socket) : socket.destroy()), ignore);
    socket.write(bytes);
    return { socket, ended };
  }

  #takeIdle(): Socket | undefined {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      const { socket, since, leave } = kept;
      leave();
      if (!socket.destroyed && this.#clock.nowMs() - since < MAX_IDLE_MS) return socket.ref();
      socket.destroy();
    }
    return undefined;
  }

  #keepIdle(socket: Socket): void {
    const drop = (): void => void socket.destroy();
    const leave = listen(socket.unref(), {
      data: drop,
      end: drop,
      timeout: drop,
      error: drop,
      close: drop,
    });
    this.#idle.push({ socket, since: this.#clock.nowMs(), leave });
  }
}

interface IdleSocket {
  readonly socket: Socket;
  readonly since: number;
  readonly leave: () => void;
}

interface Exchange {
  readonly socket: Socket;
  /**
   * Resolves at the end of the answer, to true if the connection can be used again. Rejects if no whole answer comes.
   */
  readonly ended: Promise<boolean>;
}

function ignore(): void {}
