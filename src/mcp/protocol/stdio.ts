import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import {
  INTERNAL_ERROR,
  type JSONRPCMessage,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Clock } from "../../base/clock.ts";
import { DRAIN_MS } from "../drain.ts";
import type { ToolServer } from "../tool-server.ts";
import { type Line, LineReader, MAX_MESSAGE_BYTES } from "./line-reader.ts";
import {
  namesVersion,
  readMessage,
  TOO_LONG_ANSWER,
  versionError,
  withVersion,
} from "./message.ts";
import { protocolServer, type ServerText } from "./server.ts";

/**
 * Serves one client over two streams, with one message on each line (docs/contract/tools.md#23-over-stdin-and-stdout),
 * until the input ends or the signal is aborted.
 *
 * - When the input ends, running calls are aborted.
 * - When the signal is aborted, running calls have `DRAIN_MS` to finish, and the client has the same time to read their
 *   answers.
 *
 * A client may send messages that name the protocol version, and messages of a session that it began with `initialize`.
 * A connection of the MCP library handles only one of these two kinds. So there are two connections, each made when it
 * is first needed.
 */
export async function serveLines(
  tools: ToolServer,
  text: ServerText,
  input: Readable,
  output: Writable,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<void> {
  const wire = new Wire(tools, text, input, output);
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  const lines = new LineReader();
  try {
    for await (const chunk of input) {
      for (const line of lines.push(chunk as Buffer)) await wire.receive(line);
      await wire.drained(signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    if (signal.aborted) await wire.answered(clock);
    await wire.close();
  }
}

class Wire {
  readonly #tools: ToolServer;
  readonly #text: ServerText;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #closers: (() => Promise<void>)[] = [];
  #session: Channel | undefined;
  #stateless: Channel | undefined;
  /** The requests that are not yet answered, by their ids, each with the connection that received it. */
  readonly #open = new Map<unknown, OpenRequest>();
  readonly #idle = new AbortController();
  #isClosed = false;

  constructor(tools: ToolServer, text: ServerText, input: Readable, output: Writable) {
    this.#tools = tools;
    this.#text = text;
    this.#input = input;
    this.#output = output;
    // The client no longer reads the output, so end the input: that ends the server.
    output.on("error", () => input.destroy());
  }

  async receive(line: Line): Promise<void> {
    const read = readMessage(line);
    if ("code" in read) return this.#write({ jsonrpc: "2.0", id: null, error: read });
    if (!("method" in read && "id" in read)) return this.#handleNotice(read);
    const error = versionError(read);
    if (error !== undefined) return this.#write({ jsonrpc: "2.0", id: read.id, error });
    // `server/discover` names no version, because a client sends it to learn the versions.
    const isStateless = namesVersion(read) || read.method === "server/discover";
    const channel = await (isStateless ? this.#statelessChannel() : this.#sessionChannel());
    this.#open.set(read.id, { channel, isAwaited: read.method !== "subscriptions/listen" });
    channel.deliver(isStateless && !namesVersion(read) ? withVersion(read) : read);
  }

  /**
   * Delivers a message that expects no answer. A cancellation goes to the connection that received the cancelled
   * request, even if it names another protocol version. No connection is opened for these messages, because the
   * client would then get notifications of a session that it has not begun.
   */
  #handleNotice(message: JSONRPCMessage): void {
    const isCancelled = "method" in message && message.method === "notifications/cancelled";
    const id: unknown = isCancelled ? message.params?.["requestId"] : undefined;
    const open = this.#open.get(id);
    this.#open.delete(id);
    const usual = namesVersion(message) ? this.#stateless : this.#session;
    (open?.channel ?? usual)?.deliver(message);
  }

  /**
   * Resolves when the output can take more, or the signal is aborted. No input is read until then; otherwise the
   * answers for a client that does not read would fill the memory.
   */
  async drained(signal: AbortSignal): Promise<void> {
    if (!this.#output.writableNeedDrain || signal.aborted) return;
    const over = new AbortController();
    const until = { signal: AbortSignal.any([signal, over.signal]) };
    const either = [once(this.#output, "drain", until), once(this.#output, "close", until)];
    await Promise.race(either).catch(() => undefined);
    over.abort();
  }

  /**
   * Resolves when all requests are answered and the client has read the answers, but at the latest after `DRAIN_MS`.
   */
  async answered(clock: Clock): Promise<void> {
    if (this.#isIdle()) return;
    await clock.sleep(DRAIN_MS, this.#idle.signal);
  }

  /**
   * True if nothing is left to answer or to send. A `subscriptions/listen` request does not count, because it is
   * answered only when the server ends. A cancelled request does not count either, because it is never answered.
   */
  #isIdle(): boolean {
    const isAwaited = [...this.#open.values()].some((request) => request.isAwaited);
    return !isAwaited && (this.#output.writableLength === 0 || !this.#output.writable);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const close of this.#closers) await close();
  }

  async #sessionChannel(): Promise<Channel> {
    if (this.#session !== undefined) return this.#session;
    const channel = new Channel((message) => this.#write(message));
    this.#session = channel;
    const server = this.#newServer();
    await server.connect(channel);
    this.#closers.push(async () => await server.close());
    return channel;
  }

  async #statelessChannel(): Promise<Channel> {
    if (this.#stateless !== undefined) return this.#stateless;
    const channel = new Channel((message) => this.#write(message));
    this.#stateless = channel;
    const handle = serveStdio(() => this.#newServer(), { transport: channel, legacy: "reject" });
    this.#closers.push(async () => await handle.close());
    await channel.started;
    return channel;
  }

  #newServer(): Server {
    const server = protocolServer(this.#tools, this.#text);
    const forget = this.#tools.catalog.onGrown(() => void server.sendToolListChanged());
    this.#closers.push(async () => forget());
    return server;
  }

  #write(message: object): void {
    if (this.#isClosed || !this.#output.writable) return;
    const line = JSON.stringify(message);
    const isTooLong = Buffer.byteLength(line) > MAX_MESSAGE_BYTES;
    if ("id" in message && !("method" in message)) this.#open.delete(message.id);
    this.#output.write(`${isTooLong ? JSON.stringify(tooLong(message)) : line}\n`, () => {
      if (this.#input.destroyed && this.#isIdle()) this.#idle.abort();
    });
  }
}

interface OpenRequest {
  readonly channel: Channel;
  readonly isAwaited: boolean;
}

function tooLong(message: object): object {
  const id = "id" in message ? message.id : null;
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: TOO_LONG_ANSWER } };
}

/**
 * A connection of the MCP library. It receives either messages that name the protocol version or messages of a session.
 */
class Channel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly started: Promise<void>;
  readonly #send: (message: JSONRPCMessage) => void;
  #isStarted: () => void = () => undefined;

  constructor(send: (message: JSONRPCMessage) => void) {
    this.#send = send;
    this.started = new Promise((resolve) => {
      this.#isStarted = resolve;
    });
  }

  deliver(message: JSONRPCMessage): void {
    this.onmessage?.(message);
  }

  async start(): Promise<void> {
    this.#isStarted();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#send(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
