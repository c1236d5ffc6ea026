import type { Transport } from "../../../shared/transport.ts";
import type { EffectOf } from "../../effect.ts";
import type { MessageOf } from "../../message.ts";
import { isTimeout, textOf } from "../failures.ts";

type GraphEffect = EffectOf<"load-graph" | "load-chain">;
type Answer = MessageOf<"graph">;

const TOO_BIG =
  "this graph is too big to be read in time: [ asks for fewer links, H leaves closed issues out";

export async function readGraph(daemon: Transport, asked: GraphEffect): Promise<Answer> {
  const { source } = asked;
  try {
    return { type: "graph", source, graph: { ...(await ask(daemon, asked)), error: undefined } };
  } catch (error) {
    return { type: "graph", source, graph: { error: isTimeout(error) ? TOO_BIG : textOf(error) } };
  }
}

async function ask(daemon: Transport, asked: GraphEffect): Promise<Answer["graph"]> {
  const at = asked.at ?? (await whereIs(daemon, asked.source));
  if (asked.effect === "load-graph") {
    const query = { depth: String(asked.depth), hide_done: asked.hideDone };
    return { data: await daemon.call("reachableIssueGraph", { params: at, query }) };
  }
  const input = { params: { project_id: at.project_id }, query: { ref: at.ref, limit: 20 } };
  return { chain: await daemon.call("criticalPath", input) };
}

async function whereIs(daemon: Transport, uid: string): Promise<NonNullable<GraphEffect["at"]>> {
  // `max_bytes: 1` leaves out everything but the issue itself, which is all that is needed here.
  const { issue } = await daemon.call("showIssueByUID", {
    params: { uid },
    query: { max_bytes: 1 },
  });
  return { project_id: issue.project_id, ref: issue.short_id };
}
