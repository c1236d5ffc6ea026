#!/usr/bin/env node
/**
 * A tool server that shows how a host treats tool servers: which names it offers to its model, whether it lists the
 * tools again when they change, and which parts of an answer the model gets. The server ignores its arguments, so that
 * a host can start it in place of svc.
 */
import { createInterface } from "node:readline";
import { PROBE } from "./probe-names.ts";

const OUTPUT = { type: "object", properties: { mark: { type: "string" } } };
let isLoaded = false;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answerTo(method, params);
  send(
    answer === undefined
      ? { id, error: { code: -32601, message: "unknown" } }
      : { id, result: answer },
  );
});

function answerTo(method: string, params: { name?: string; protocolVersion?: string }) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "probe", version: "1" },
      };
    case "tools/list":
      return { tools: toolNames().map(toolDefinition) };
    case "tools/call":
      return callResult(params.name ?? "");
    case "ping":
      return {};
    default:
      return undefined;
  }
}

function toolNames(): readonly string[] {
  return [PROBE.dotted, PROBE.load, PROBE.same, ...(isLoaded ? [PROBE.late] : [])];
}

function toolDefinition(name: string) {
  const inputSchema = { type: "object", properties: {} };
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, description: "A tool.", inputSchema, outputSchema: OUTPUT, annotations };
}

function callResult(name: string) {
  if (name === PROBE.same) {
    const structuredContent = { mark: PROBE.mark };
    return {
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  }
  if (name === PROBE.load && !isLoaded) {
    isLoaded = true;
    send({ method: "notifications/tools/list_changed" });
  }
  return {
    content: [{ type: "text", text: PROBE.text }],
    structuredContent: { mark: PROBE.structure },
  };
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
