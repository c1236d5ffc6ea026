import { type Body, type Dialect, named, objects, type Reply, textOf } from "./conversation.ts";

const USAGE = { input_tokens: 1, output_tokens: 1 };

/** The API of Anthropic Messages, which Claude Code uses. */
export const messages: Dialect = {
  path: /\/messages(?:\?|$)/,
  read: (body) => ({
    tools: objects(body["tools"]).flatMap(named),
    deferred: deferredIn(body),
    results: objects(body["messages"])
      .flatMap(({ content }) => objects(content))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => textOf(content)),
  }),
  whole: (reply) => messageOf(reply),
  stream: (reply) => {
    const { content, stop_reason, ...message } = messageOf(reply);
    return [
      streamEvent("message_start", { message: { ...message, content: [], stop_reason: null } }),
      ...content.flatMap(blockEvents),
      streamEvent("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: USAGE }),
      streamEvent("message_stop", {}),
    ];
  },
  isStream: (body) => body["stream"] === true,
};

/** Claude Code lists the deferred tools in a text, one on each line after a sentence about its tool `ToolSearch`. */
function deferredIn(body: Body): readonly string[] {
  const texts = objects(body["messages"]).flatMap(({ content }) =>
    typeof content === "string" ? [content] : objects(content).map(({ text }) => textOf(text)),
  );
  return texts
    .filter((text) => text.includes("ToolSearch"))
    .flatMap((text) => text.split("\n").filter((line) => /^mcp__\S+$/.test(line)));
}

function messageOf(reply: Reply) {
  return {
    id: `msg_${reply.id}`,
    type: "message",
    role: "assistant",
    model: "mock",
    content: [blockOf(reply)],
    stop_reason: reply.kind === "call" ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: USAGE,
  };
}

function blockOf(reply: Reply): Body {
  if (reply.kind === "text") return { type: "text", text: reply.text };
  return { type: "tool_use", id: `toolu_${reply.id}`, name: reply.tool.name, input: reply.args };
}

function blockEvents(block: Body, index: number) {
  const isText = block["type"] === "text";
  const empty = isText ? { ...block, text: "" } : { ...block, input: {} };
  const delta = isText
    ? { type: "text_delta", text: block["text"] }
    : { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) };
  return [
    streamEvent("content_block_start", { index, content_block: empty }),
    streamEvent("content_block_delta", { index, delta }),
    streamEvent("content_block_stop", { index }),
  ];
}

function streamEvent(event: string, more: Body) {
  return { event, data: { type: event, ...more } };
}
