import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { chat } from "./chat.ts";
import { type Body, type Dialect, isObject, type Reply, type Turn } from "./conversation.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";

const DIALECTS: readonly Dialect[] = [responses, messages, gemini, chat];
/**
 * How long the mock model waits before it answers. A real model takes longer. Hosts use this time to list the tools
 * again.
 */
const THINKING_MS = 200;
const DONE: Reply = { id: "nothing", kind: "text", text: "done" };

/** A mock model on loopback whose answers come from a script. It understands the APIs of `DIALECTS`. */
export interface Model {
  readonly port: number;
  /** Sets the script from which the following answers come. Each run of a host gets a new script. */
  play(script: Script): void;
  stop(): void;
}

export type Script = (turn: Turn) => Reply;

export async function startModel(): Promise<Model> {
  let script: Script = () => DONE;
  const server = createServer((request, response) => {
    void answer(request, response, (turn) => script(turn));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    play: (next) => {
      script = onceForEachResult(next);
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Wraps a script so that a repeated request gets the same answer again, because a host may repeat a request, such as
 * after a timeout. A request without tools is about something else, such as a title for the conversation, and does not
 * use the script.
 */
function onceForEachResult(script: Script): Script {
  let seen = -1;
  let reply = DONE;
  return (turn) => {
    if (turn.tools.length === 0) return DONE;
    if (turn.results.length !== seen) reply = script(turn);
    seen = turn.results.length;
    return reply;
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: Script,
): Promise<void> {
  const path = request.url ?? "";
  const body = parsed(await text(request));
  const dialect = DIALECTS.find((known) => known.path.test(path));
  if (dialect === undefined || request.method !== "POST") {
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
    return;
  }
  const reply = script(dialect.read(body));
  await setTimeout(THINKING_MS);
  if (!dialect.isStream(body, path)) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(dialect.whole(reply)));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of dialect.stream(reply)) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

function parsed(body: string): Body {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
