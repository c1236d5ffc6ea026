import {
  type CallToolResult,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  ProtocolError,
  Server,
  type Tool as ToolDefinition,
} from "@modelcontextprotocol/server";
import { jsonBytes } from "../../base/json-bytes.ts";
import type { Catalog } from "../catalog.ts";
import type { CallOutcome, ToolServer } from "../tool-server.ts";
import { shortened } from "../views.ts";
import { MAX_MESSAGE_BYTES } from "./line-reader.ts";
import { TOO_LONG_ANSWER } from "./message.ts";

/**
 * The hint about caching the list of tools (docs/contract/tools.md#21-methods): only the client that requested it, for
 * five minutes.
 */
const CACHE_HINT = { ttlMs: 300_000, cacheScope: "private" } as const;

/** The protocol versions that a client can negotiate with `initialize`, newest first. */
export const SESSION_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** The protocol versions without structured content; clients of these get results only as text. */
const TEXT_VERSIONS: ReadonlySet<string> = new Set(["2025-03-26", "2024-11-05", "2024-10-07"]);

export interface ServerText {
  readonly version: string;
  readonly instructions: string;
}

/**
 * Makes the MCP library's server for one client, with the handlers of `tools/list` and `tools/call`. `spoken` is the
 * protocol version of a client that does not negotiate one.
 */
export function protocolServer(
  tools: ToolServer,
  { version, instructions }: ServerText,
  spoken = "",
): Server {
  const server = new Server(
    {
      name: "svc",
      title: "Svc Issue Tracker",
      version,
      description: "Issues, links, comments and jobs of a local-first issue tracker",
    },
    {
      capabilities: { tools: { listChanged: true } },
      instructions,
      supportedProtocolVersions: ["2026-07-28", ...SESSION_VERSIONS],
      cacheHints: { "tools/list": CACHE_HINT, "server/discover": CACHE_HINT },
    },
  );
  const isText = (): boolean =>
    tools.catalog.isText || TEXT_VERSIONS.has(server.getNegotiatedProtocolVersion() ?? spoken);
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined)
      throw new ProtocolError(INVALID_PARAMS, "cursor: the list of tools has one page");
    const entries = tools.catalog.list();
    return { tools: entries.map((entry) => definition(entry, isText())) };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    let announced: Promise<void> | undefined;
    const announce = (): void => {
      announced = mcpReq.notify({ method: "notifications/tools/list_changed" });
    };
    const caller = { server, announce };
    const outcome = await tools.call(params.name, params.arguments, mcpReq.signal, caller);
    await announced;
    if (outcome === undefined)
      throw new ProtocolError(INVALID_PARAMS, unknownTool(params.name, tools.catalog));
    const result = resultOf(outcome, isText());
    if (jsonBytes(result) > MAX_MESSAGE_BYTES)
      throw new ProtocolError(INTERNAL_ERROR, TOO_LONG_ANSWER);
    return result;
  });
  return server;
}

function unknownTool(name: string, catalog: Catalog): string {
  const near = catalog.nearest(name);
  const question = near === undefined ? "" : `; did you mean ${catalog.named(near)}?`;
  return `unknown tool ${JSON.stringify(shortened(name, MAX_NAME_BYTES))}${question}`;
}

/** An error repeats at most this many bytes of an unknown name. */
const MAX_NAME_BYTES = 200;

function definition(
  entry: ReturnType<ToolServer["catalog"]["list"]>[number],
  isText: boolean,
): ToolDefinition {
  const { outputSchema: _ofAnswer, ...rest } = entry;
  return (isText ? rest : entry) as ToolDefinition;
}

/**
 * Returns the result of a call. The structure of a success is repeated as text, because many hosts show a model only
 * `content` (docs/contract/tools.md#31-form; the specification's SHOULD). The size limits count it once, because a host
 * passes on only one of the two.
 */
function resultOf(outcome: CallOutcome, isText: boolean): CallToolResult {
  if ("failure" in outcome)
    return { content: [{ type: "text", text: outcome.failure }], isError: true };
  const { structured } = outcome;
  const content = [{ type: "text" as const, text: JSON.stringify(structured) }];
  return isText ? { content } : { content, structuredContent: structured };
}
