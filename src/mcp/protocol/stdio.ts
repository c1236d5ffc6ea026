import type { Readable, Writable } from "node:stream";
import {
  CLIENT_CAPABILITIES_META_KEY,
  INTERNAL_ERROR,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ToolServer } from "../tool-server.ts";
import { type Line, LineReader, MAX_MESSAGE_BYTES } from "./line-reader.ts";
import { namesVersion, readMessage } from "./message.ts";
import { protocolServer, type ServerText } from "./server.ts";

/** The protocol version in which each request names its version (doc 3, Versioning). */
const STATELESS_VERSION = "2026-07-28";

/**
 * Serves one client over two streams, with one message on each line (facts mcp 2.3), until the input ends or the signal
 * is aborted. A client may send messages of both protocol generations: with a version in each request, or after
 * `initialize`. A connection of the library handles only one of the two, so there is one for each, made when it is
 * first needed.
 */
export async function serveLines(
  tools: ToolServer,
  text: ServerText,
  input: Readable,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const wire = new Wire(tools, text, input, output);
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  const lines = new LineReader();
  try {
    for await (const chunk of input) {
      for (const line of lines.push(chunk as Buffer)) await wire.receive(line);
      await wire.drained();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await wire.close();
  }
}

class Wire {
  readonly #tools: ToolServer;
  readonly #text: ServerText;
  readonly #output: Writable;
  readonly #closers: (() => Promise<void>)[] = [];
  #session: Channel | undefined;
  #stateless: Channel | undefined;
  #isClosed = false;

  constructor(tools: ToolServer, text: ServerText, input: Readable, output: Writable) {
    this.#tools = tools;
    this.#text = text;
    this.#output = output;
    // The client has gone away. Ending the input ends the server.
    output.on("error", () => input.destroy());
  }

  async receive(line: Line): Promise<void> {
    const read = readMessage(line);
    if ("code" in read) return this.#write({ jsonrpc: "2.0", id: null, error: read });
    if (namesVersion(read)) return (await this.#statelessChannel()).deliver(read);
    // This request gives no version, because the client uses it to learn the versions.
    if ("method" in read && "id" in read && read.method === "server/discover")
      return (await this.#statelessChannel()).deliver(withVersion(read));
    (await this.#sessionChannel()).deliver(read);
  }

  /**
   * Resolves when the output can take more. Until then no input is read, so that a client that does not read its
   * answers cannot fill the memory.
   */
  async drained(): Promise<void> {
    if (!this.#output.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.#output.once("drain", resolve);
      this.#output.once("close", resolve);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const close of this.#closers) await close();
  }

  async #sessionChannel(): Promise<Channel> {
    if (this.#session !== undefined) return this.#session;
    const channel = new Channel((message) => this.#write(message));
    this.#session = channel;
    const server = this.#server();
    await server.connect(channel);
    this.#closers.push(async () => await server.close());
    return channel;
  }

  async #statelessChannel(): Promise<Channel> {
    if (this.#stateless !== undefined) return this.#stateless;
    const channel = new Channel((message) => this.#write(message));
    this.#stateless = channel;
    const handle = serveStdio(() => this.#server(), { transport: channel, legacy: "reject" });
    this.#closers.push(async () => await handle.close());
    await channel.started;
    return channel;
  }

  #server(): Server {
    const server = protocolServer(this.#tools, this.#text);
    const forget = this.#tools.catalog.onGrown(() => void server.sendToolListChanged());
    this.#closers.push(async () => forget());
    return server;
  }

  #write(message: object): void {
    if (this.#isClosed || !this.#output.writable) return;
    const line = JSON.stringify(message);
    const isTooLong = Buffer.byteLength(line) > MAX_MESSAGE_BYTES;
    this.#output.write(`${isTooLong ? JSON.stringify(tooLong(message)) : line}\n`);
  }
}

function tooLong(message: object): object {
  const id = "id" in message ? message.id : null;
  const text = `the answer is longer than ${MAX_MESSAGE_BYTES} bytes`;
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: text } };
}

function withVersion(message: JSONRPCRequest): JSONRPCMessage {
  const params = message.params ?? {};
  const meta = {
    ...params["_meta"],
    [PROTOCOL_VERSION_META_KEY]: STATELESS_VERSION,
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
  return { ...message, params: { ...params, _meta: meta } };
}

/** One connection of the library: it receives the messages of one protocol generation. */
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
