import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { criticalPath, reachableIssueGraph } from "../../src/contract/graph.ts";
import type { Effect, Message } from "../../src/screen/step.ts";
import { isTimeout, textOf } from "../failures.ts";

type Asked = Extract<Effect, { effect: "load-graph" | "load-chain" }>;
type Answer = Extract<Message, { type: "graph" }>;

const TOO_BIG =
  "this graph is too big to be read in time: [ asks for fewer links, H leaves closed issues out";

/** What an issue is linked to, or the chain of blockers that ends in it. */
export async function readGraph(client: Client, asked: Asked): Promise<Answer> {
  const { source } = asked;
  try {
    return { type: "graph", source, graph: { ...(await ask(client, asked)), error: undefined } };
  } catch (error) {
    return { type: "graph", source, graph: { error: isTimeout(error) ? TOO_BIG : textOf(error) } };
  }
}

async function ask(client: Client, asked: Asked): Promise<Answer["graph"]> {
  const { at } = asked;
  if (asked.effect === "load-graph") {
    const query = { depth: String(asked.depth), hide_done: asked.hideDone };
    return { data: await call(client, reachableIssueGraph, { params: at, query }) };
  }
  const input = { params: { project_id: at.project_id }, query: { ref: at.ref, limit: 20 } };
  return { chain: await call(client, criticalPath, input) };
}
