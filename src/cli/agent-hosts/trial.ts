import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isPlainObject, parseJson } from "../../base/json.ts";
import type { ConfiguredServer } from "./configured.ts";
import { type Reply, ServerFault, ServerProcess } from "./server-process.ts";

/** What a host learns from a server that it has started. */
export interface ServerAnswers {
  /** Name and version, as the server gives them. */
  readonly server: string;
  readonly protocol: string;
  /** The names of the tools in the first list. */
  readonly tools: readonly string[];
  /** The answer of one tool that only reads; absent if the server is not svc. */
  readonly answer?: AnsweredCall;
  /** The uid of the database whose daemon answers the server. */
  readonly instance?: string;
  /** The project that the tool's answer names, if it names one. */
  readonly project?: string;
}

export interface AnsweredCall {
  readonly tool: string;
  readonly hasText: boolean;
  readonly hasStructure: boolean;
  /** Why the call failed. */
  readonly fault?: string;
}

/** Why a host learns nothing from a server. */
export interface TrialFault {
  readonly kind: ServerFault["kind"];
  readonly fault: string;
  /** What the server wrote to stderr. */
  readonly errors: string;
}

export type Trial = ServerAnswers | TrialFault;

/**
 * Starts a server as a host does and lists its tools. If the server is svc, also calls two tools that only read. Always
 * stops the server. Returns a `TrialFault` if the server does not answer.
 */
export async function trialOf(
  started: ConfiguredServer,
  folder: string,
  client: { readonly name: string; readonly version: string },
): Promise<Trial> {
  const server = new ServerProcess(started, folder);
  try {
    return await seenOf(server, client);
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error;
    return { kind: error.kind, fault: error.message, errors: server.errors };
  } finally {
    await server.stop();
  }
}

async function seenOf(
  server: ServerProcess,
  clientInfo: { readonly name: string; readonly version: string },
): Promise<ServerAnswers> {
  const hello = resultOf(
    "initialize",
    await server.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { ...clientInfo },
    }),
  );
  server.tell("notifications/initialized");
  const listed = resultOf("tools/list", await server.ask("tools/list", {}));
  const tools = listIn(listed["tools"]).flatMap(({ name }) =>
    typeof name === "string" ? [name] : [],
  );
  const { name, version } = objectIn(hello["serverInfo"]);
  const seen = {
    server: `${textIn(name) ?? "a server without a name"} ${textIn(version) ?? ""}`.trim(),
    protocol: textIn(hello["protocolVersion"]) ?? "unknown",
    tools,
  };
  if (name !== "svc") return seen;
  const next = tools.includes("svc_next") ? "svc_next" : "svc.next";
  const result = await server.ask("tools/call", { name: next, arguments: {} });
  const about = await server.ask("tools/call", { name: "svc.system", arguments: {} });
  const { instance_uid: instance } = contentOf(about);
  const { name: project } = objectIn(contentOf(result)["project"]);
  return {
    ...seen,
    answer: answeredOf(next, result),
    ...(typeof instance === "string" ? { instance } : {}),
    ...(typeof project === "string" ? { project } : {}),
  };
}

function resultOf(method: string, reply: Reply): JsonObject {
  if ("error" in reply)
    throw new ServerFault("refused", `the server refuses ${method}: ${reply.error}`);
  return reply.result;
}

function answeredOf(tool: string, reply: Reply): AnsweredCall {
  if ("error" in reply) return { tool, hasText: false, hasStructure: false, fault: reply.error };
  const text = textOf(reply.result);
  return {
    tool,
    hasText: text !== undefined,
    hasStructure: isPlainObject(reply.result["structuredContent"]),
    ...(reply.result["isError"] === true ? { fault: text ?? "it failed" } : {}),
  };
}

/** Returns the structured content of an answer, or else parses its text as JSON. */
function contentOf(reply: Reply): JsonObject {
  if ("error" in reply || reply.result["isError"] === true) return {};
  const { structuredContent } = reply.result;
  if (isPlainObject(structuredContent)) return structuredContent;
  try {
    return objectIn(parseJson(textOf(reply.result) ?? "{}"));
  } catch {
    return {};
  }
}

function textOf({ content }: JsonObject): string | undefined {
  const [first] = listIn(content).filter(({ type }) => type === "text");
  return typeof first?.["text"] === "string" ? first["text"] : undefined;
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isPlainObject(one)) : [];
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isPlainObject(value) ? value : {};
}
