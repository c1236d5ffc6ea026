import { type Clock, systemClock } from "../base/clock.ts";
import { createLog } from "../base/log.ts";
import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import { tokenFor } from "../client/target.ts";
import { health, ping } from "../contract/health.ts";
import { availableSections } from "./available.ts";
import { Catalog, type ListStyle } from "./catalog.ts";
import { daemonOf } from "./daemon.ts";
import { eventsOf } from "./event-source.ts";
import type { HttpOptions } from "./http/serve.ts";
import { idleTimeout } from "./idle-timeout.ts";
import { instructionsFor } from "./instructions.ts";
import { KEEPALIVE_HEADERS, keepAlive } from "./keepalive.ts";
import type { ServerText } from "./protocol/server.ts";
import { serveLines } from "./protocol/stdio.ts";
import type { Reach } from "./scope.ts";
import type { Section } from "./sections.ts";
import type { HostStorage } from "./storage/host-storage.ts";
import { ToolServer } from "./tool-server.ts";

export type { Reach } from "./scope.ts";
export { SECTION_NAMES } from "./sections.ts";
export { openStorage } from "./storage/open-storage.ts";

export interface McpOptions {
  readonly client: Client;
  readonly reach: Reach;
  /** The names that the allowed projects had when the server started. The instructions for agents list them. */
  readonly names: readonly string[];
  readonly actor: string;
  /** Whether tools may administer tokens, which also requires that all projects are in reach. */
  readonly hasTokenAdmin: boolean;
  /** The files and databases that `--storage-root` and `--storage-target` name. */
  readonly storage?: HostStorage | undefined;
  /** The sections to load from the start. Those whose start-up conditions are not met are left out. */
  readonly load: readonly Section[];
  readonly style: ListStyle;
  readonly version: string;
  /** Aborting it ends the server. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Where to listen for HTTP. Without it, the tools are served over stdin and stdout. */
  readonly http?: HttpListener | undefined;
}

type HttpListener = Pick<HttpOptions, "place" | "authority" | "isLoopback" | "token">;

/**
 * Serves the tools until the signal is aborted or, over stdin and stdout, until the input ends
 * (docs/contract/tools.md#12-order-of-the-start).
 */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { client, reach, names, actor, storage, version, signal, clock = systemClock } = options;
  const log = createLog({ write: say, reopen: () => undefined, close: () => undefined }, clock);
  const logFailure = (error: unknown): void =>
    log.error("tools.failed", { error: error instanceof Error ? error.stack : String(error) });
  // If the daemon does not answer now, assume that it has none of the systems that a health report names.
  const known = await call(client, health, {}).catch(() => ({}));
  const { hasTokenAdmin, load, style } = options;
  const hasStorage = storage !== undefined;
  const available = availableSections({ reach, hasTokenAdmin, hasStorage, health: known });
  const catalog = new Catalog(available, load, style);
  const tools = new ToolServer({
    catalog,
    reach,
    actor,
    storage,
    hasToken: tokenFor(client.config, client.target) !== undefined,
    daemonFor: (gone) => daemonOf(client, gone),
    events: eventsOf(client, clock, reach),
    clock,
    failed: logFailure,
  });
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  const kept = keepAwake(client, clock, over);
  try {
    const text = { version, instructions: instructionsFor(reach, names, actor, catalog) };
    if (options.http === undefined)
      await serveLines(tools, text, process.stdin, process.stdout, { signal, clock });
    else await overHttp(tools, text, { ...options.http, clock, say, failed: logFailure }, signal);
  } finally {
    ended.abort();
    await kept;
    await storage?.root.close();
  }
}

async function overHttp(
  tools: ToolServer,
  text: ServerText,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<void> {
  const { serveHttp } = await import("./http/serve.ts");
  await serveHttp(tools, text, options, signal);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function keepAwake(client: Client, clock: Clock, signal: AbortSignal): Promise<void> {
  const timeoutMs = await idleTimeout(async () => await call(client, health, {}), clock, signal);
  const pingDaemon = async () => await call(client, ping, { headers: KEEPALIVE_HEADERS });
  await keepAlive(timeoutMs, pingDaemon, clock, signal);
}
