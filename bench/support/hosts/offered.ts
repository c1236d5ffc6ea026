import type { Body, OfferedTool, Reply, Turn } from "./conversation.ts";

/** The tool of Claude Code by which its model asks for the definitions of deferred tools. */
const SEARCH = "ToolSearch";

/** A call that the model wants to make, with the server's own name for the tool. */
export interface PlannedCall {
  readonly name: string;
  readonly args: Body;
}

/**
 * Decides what the model does next. `said` is what the host passed on of the answer to the last call; `undefined`
 * before the first call.
 */
export type Plan = (turn: Turn, said: string | undefined) => PlannedCall | "done";

/**
 * Turns a plan into the answers of the mock model. It calls tools by the names that the host offers. For a deferred
 * tool it first asks for the definition.
 */
export function player(plan: Plan): (turn: Turn) => Reply {
  let searchedFor: PlannedCall | undefined;
  let hasCalled = false;
  return (turn) => {
    const wish = searchedFor ?? plan(turn, hasCalled ? (turn.results.at(-1) ?? "") : undefined);
    searchedFor = undefined;
    const id = `call_${turn.results.length}`;
    if (wish === "done") return { id, kind: "text", text: "done" };
    const tool = offeredTool(turn, wish.name);
    hasCalled = tool !== undefined;
    if (tool !== undefined) return { id, kind: "call", tool, args: wish.args };
    const deferred = deferredName(turn, wish.name);
    const search = turn.tools.find(({ name }) => name === SEARCH);
    if (deferred === undefined || search === undefined)
      return { id, kind: "text", text: `${wish.name} is not offered` };
    searchedFor = wish;
    return { id, kind: "call", tool: search, args: { query: `select:${deferred}` } };
  };
}

/** Whether the host offers the tool to the model, either directly or as a deferred tool. */
export function isOffered(turn: Turn, name: string): boolean {
  return offeredTool(turn, name) !== undefined || deferredName(turn, name) !== undefined;
}

/** Finds the offered tool for a name of the server. Hosts put a prefix before the names, and some replace the dots. */
function offeredTool({ tools }: Turn, name: string): OfferedTool | undefined {
  return tools.find((tool) => isNamed(tool.name, name));
}

function deferredName({ deferred = [] }: Turn, name: string): string | undefined {
  return deferred.findLast((known) => isNamed(known, name));
}

function isNamed(offeredName: string, name: string): boolean {
  const known = offeredName.replaceAll(".", "_");
  const wanted = name.replaceAll(".", "_");
  return known === wanted || known.endsWith(`_${wanted}`);
}
