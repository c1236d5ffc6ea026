import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { parseExact } from "../../src/base/json.ts";
import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { initProject, listProjects } from "../../src/contract/projects.ts";
import type { CallInput } from "../../src/contract/route.ts";
import { Catalog, type ListStyle } from "../../src/mcp/catalog.ts";
import { daemonOf } from "../../src/mcp/daemon.ts";
import { eventsOf } from "../../src/mcp/event-source.ts";
import { instructionsFor } from "../../src/mcp/instructions.ts";
import { serveLines } from "../../src/mcp/protocol/stdio.ts";
import type { Reach } from "../../src/mcp/scope.ts";
import { SECTION_NAMES, type Section } from "../../src/mcp/sections.ts";
import type { HostStorage } from "../../src/mcp/storage/host-storage.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { Local, type LocalSettings, VERSION } from "../client/local.ts";
import { tempFolder } from "../support/daemon.ts";

type Json = Readonly<Record<string, unknown>>;

/** Every version of the protocol that the server speaks. */
export const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What a tool call answered: the structured content, or the text of the failure. */
export interface ToolAnswer {
  readonly answer: Json;
  readonly failure: string | undefined;
  /** The size in bytes of what a model is given: the JSON of a success, counted once, or the text of a failure. */
  readonly bytes: number;
  /** The text of the result. */
  readonly text: string;
}

/**
 * A real daemon with its own home, and tool servers that send requests to it. They wait longer for an answer than by
 * default, so that a test of large answers does not depend on the speed of the machine.
 */
export class ToolWorld {
  readonly local: Local;
  readonly client: Client;

  constructor(local: Local, client: Client) {
    this.local = local;
    this.client = client;
  }

  static async open(settings: LocalSettings = {}): Promise<ToolWorld> {
    const local = new Local(tempFolder());
    await local.daemon(settings);
    const { token } = settings.authentication ?? {};
    const own = token === undefined ? {} : { SVC_AUTH_TOKEN: token };
    const env = { SVC_HTTP_TIMEOUT: "60s", ...own };
    return new ToolWorld(local, await local.client(local.home, env));
  }

  /** The same daemon, asked with another token. */
  async withToken(token: string): Promise<ToolWorld> {
    const env = { SVC_HTTP_TIMEOUT: "60s", SVC_AUTH_TOKEN: token };
    return new ToolWorld(this.local, await this.local.client(this.local.home, env));
  }

  /** Makes a project and returns its id, uid and name. */
  async project(name: string) {
    const { project } = await call(this.client, initProject, { body: { name, actor: "ann" } });
    return project;
  }

  /** Makes an issue and returns it. */
  async issue(
    project_id: number,
    title: string,
    more: Partial<CallInput<typeof createIssue>["body"]> = {},
  ) {
    const body = { title, actor: "ann", force_new: true, ...more };
    return (await call(this.client, createIssue, { params: { project_id }, body })).issue;
  }

  /** Returns what the server reaches: the project of this name, the projects of a list of names, or all with `all`. */
  async reach(names: string | readonly string[]): Promise<Reach> {
    const { projects } = await call(this.client, listProjects, {});
    if (names === "all") return { kind: "all" };
    const wanted = [names].flat();
    const found = projects.filter(({ name }) => wanted.includes(name));
    const [only] = found;
    if (typeof names !== "string" || only === undefined)
      return { kind: "allowlist", uids: new Set(found.map(({ uid }) => uid)) };
    return { kind: "project", id: only.id, uid: only.uid, name: only.name };
  }

  /**
   * Serves tools over streams in this process. The sections in `load` are loaded by their loaders, those in `atStart`
   * from the start.
   */
  async serve(
    names: string | readonly string[],
    {
      load = SECTION_NAMES,
      atStart = [],
      style = { names: "dot", isCompact: false },
      available = SECTION_NAMES,
      actor = "bea",
      storage,
      clock = systemClock,
      events = true,
    }: {
      readonly load?: readonly Section[];
      readonly atStart?: readonly Section[];
      readonly style?: ListStyle;
      readonly available?: readonly Section[];
      readonly actor?: string;
      readonly storage?: HostStorage;
      readonly clock?: Clock;
      readonly events?: boolean;
    } = {},
  ): Promise<ToolClient> {
    const reach = await this.reach(names);
    const catalog = new Catalog(new Set(available), atStart, style);
    const tools = new ToolServer({
      catalog,
      reach,
      actor,
      hasToken: false,
      storage,
      daemonFor: (signal) => daemonOf(this.client, signal),
      events: events ? eventsOf(this.client, clock, reach) : undefined,
      clock,
    });
    const client = new ToolClient(tools, instructionsFor(reach, [names].flat(), actor, catalog));
    for (const section of load) await client.call(`svc.load_${section}`);
    return client;
  }
}

/** A client that writes and reads lines, as an agent host does. */
export class ToolClient {
  /** All messages that the server wrote, parsed. */
  readonly messages: Json[] = [];
  readonly #input = new PassThrough();
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, (message: Json) => void>();
  readonly #stop = new AbortController();
  #lastId = 0;

  constructor(tools: ToolServer, instructions: string, clock: Clock = systemClock) {
    const output = new PassThrough();
    let text = "";
    output.setEncoding("utf8").on("data", (piece: string) => {
      const lines = `${text}${piece}`.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) this.#receive(parseExact(line) as Json);
    });
    const { signal } = this.#stop;
    this.#ended = serveLines(tools, { version: VERSION, instructions }, this.#input, output, {
      signal,
      clock,
    });
    onTestFinished(async () => await this.end());
  }

  /** The id of the last request. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Writes a line as it is. */
  write(line: string | Buffer): void {
    this.#input.write(line);
    this.#input.write("\n");
  }

  /** Sends a request and returns the whole message that answers it. */
  async request(method: string, params?: Json): Promise<Json> {
    const id = ++this.#lastId;
    const answered = new Promise<Json>((resolve) => this.#waiting.set(id, resolve));
    this.write(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) }));
    return await answered;
  }

  notify(method: string, params?: Json): void {
    this.write(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }));
  }

  /** Calls a tool. Throws if the answer is a protocol error. */
  async call(name: string, args: Json = {}): Promise<ToolAnswer> {
    const { result, error } = await this.request("tools/call", { name, arguments: args });
    if (error !== undefined) throw new Error(JSON.stringify(error));
    const { content, structuredContent, isError } = result as {
      readonly content: readonly { readonly text: string }[];
      readonly structuredContent?: Json;
      readonly isError?: boolean;
    };
    const text = content.map((item) => item.text).join("");
    return {
      answer: structuredContent ?? {},
      failure: isError === true ? text : undefined,
      bytes: Buffer.byteLength(text),
      text,
    };
  }

  /** Begins a session with this version of the protocol, or none for a version that has none. Returns further params. */
  async begin(protocolVersion: string): Promise<Json> {
    if (protocolVersion === "2026-07-28") return { _meta: META };
    const clientInfo = { name: "test", version: "1" };
    await this.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
    return {};
  }

  /** The names of the tools that the server lists. */
  async names(): Promise<readonly string[]> {
    const { result } = await this.request("tools/list");
    return (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(
      ({ name }) => name,
    );
  }

  /** Ends the input. Resolves when the server has ended. */
  async end(): Promise<void> {
    this.#input.end();
    await this.#ended;
  }

  /** Sends the server what a signal of the system does. Resolves when the server has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  #receive(message: Json): void {
    this.messages.push(message);
    const id = message["id"];
    if (typeof id === "number") this.#waiting.get(id)?.(message);
  }
}
