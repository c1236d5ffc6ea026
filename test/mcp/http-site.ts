import { type IncomingHttpHeaders, request as send } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import { type HttpOptions, serveHttp } from "../../src/mcp/http/serve.ts";
import type { EventSource } from "../../src/mcp/news.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { ToolServer, type ToolServerOptions } from "../../src/mcp/tool-server.ts";
import { VERSION } from "../client/local.ts";
import { FakeClock } from "../support/clock.ts";

export const TOKEN = "the-secret-of-the-tests";

export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

export type Json = Readonly<Record<string, unknown>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The messages of the body, which is JSON or an event stream. */
  readonly messages: readonly Json[];
}

/** A header of `undefined` is left out; one with several values is sent several times. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer | object;
}

/** A tool server that listens on a free port of loopback. Its tools have no daemon unless the test gives one. */
export class HttpSite {
  readonly port: number;
  readonly clock: Clock;
  /** What the server writes to stderr. */
  readonly said: string[] = [];
  readonly faults: unknown[] = [];
  readonly tools: ToolServer;
  readonly #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  private constructor(port: number, clock: Clock, daemonFor: DaemonFor, events?: EventSource) {
    this.port = port;
    this.clock = clock;
    this.tools = new ToolServer({
      catalog: new Catalog(new Set(SECTION_NAMES)),
      reach: { kind: "all" },
      actor: "bea",
      hasToken: false,
      daemonFor,
      events,
      clock,
    });
  }

  static async open({
    clock = new FakeClock(),
    daemonFor = noDaemon,
    events,
    ...rules
  }: Rules & {
    readonly clock?: Clock;
    readonly daemonFor?: DaemonFor;
    readonly events?: EventSource;
  } = {}): Promise<HttpSite> {
    const site = new HttpSite(await freePort(), clock, daemonFor, events);
    await site.#listen(rules);
    onTestFinished(async () => await site.stop());
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  async send({ method = "POST", path = "/mcp", headers, body }: Sent): Promise<HttpAnswer> {
    const bytes = typeof body === "object" && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
    const list = Object.entries({ ...USUAL, host: `127.0.0.1:${this.port}`, ...headers }).flatMap(
      ([name, value]) => [value ?? []].flat().flatMap((one) => [name, one]),
    );
    return await new Promise((resolve, reject) => {
      const target = { host: "127.0.0.1", port: this.port, agent: false, setHost: false };
      const length = bytes === undefined ? [] : ["content-length", `${Buffer.byteLength(bytes)}`];
      const sent = send({ ...target, method, path, headers: [...list, ...length] }, (res) => {
        let text = "";
        res.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        res.once("error", reject).once("end", () => {
          const { statusCode: status = 0 } = res;
          resolve({ status, headers: res.headers, text, messages: messagesOf(text) });
        });
      });
      sent.once("error", reject).end(bytes);
    });
  }

  /** Sends a request of JSON-RPC and returns the answer. */
  async request(method: string, params: Json = {}, headers: Headers = {}): Promise<HttpAnswer> {
    return await this.send({ headers, body: { jsonrpc: "2.0", id: 1, method, params } });
  }

  /** Sends a request of 2026-07-28. */
  async stateless(method: string, params: Json = {}, headers: Headers = {}): Promise<HttpAnswer> {
    const named = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers };
    return await this.request(method, { ...params, _meta: META }, named);
  }

  /** Begins a session and returns its id. */
  async begin(): Promise<string> {
    const { headers } = await this.request("initialize", INITIALIZE);
    return String(headers["mcp-session-id"]);
  }

  /** Opens an event stream. Its text grows as the server writes. */
  async stream(sent: Sent): Promise<Stream> {
    const method = sent.method ?? "GET";
    const stopped = new AbortController();
    onTestFinished(() => stopped.abort());
    const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
    const headers = { ...USUAL, ...(sent.headers as Record<string, string>) };
    const response = await fetch(this.url, { method, headers, signal: stopped.signal, ...body });
    const stream = { status: response.status, text: "", ended: Promise.resolve() };
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk);
    };
    stream.ended = read().catch(() => undefined);
    return Object.assign(stream, { close: () => stopped.abort() });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #listen(rules: Rules): Promise<void> {
    const { port, clock } = this;
    const text = { version: VERSION, instructions: "Use the tools." };
    await new Promise<void>((resolve) => {
      const options = {
        place: { host: "127.0.0.1", port },
        authority: `127.0.0.1:${port}`,
        isLoopback: true,
        token: TOKEN,
        clock,
        say: (line: string) => {
          this.said.push(line);
          resolve();
        },
        failed: (error: unknown) => void this.faults.push(error),
        ...rules,
      };
      this.#ended = serveHttp(this.tools, text, options, this.#stop.signal);
    });
  }
}

type Rules = Partial<Pick<HttpOptions, "authority" | "isLoopback" | "limits">>;

export interface Stream {
  readonly status: number;
  readonly text: string;
  readonly ended: Promise<void>;
  close(): void;
}

type DaemonFor = ToolServerOptions["daemonFor"];

const noDaemon: DaemonFor = () => ({
  news: async () => undefined,
  call: async () => await Promise.reject(new Error("there is no daemon")),
});

/** The headers that every request needs. */
export const USUAL = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

function messagesOf(text: string): readonly Json[] {
  if (text.startsWith("{")) return [JSON.parse(text) as Json];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)) as Json);
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
