import { type Dialect, isObject, named, objects, type Reply, textOf } from "./conversation.ts";

/** The API of OpenAI chat completions, which opencode and most libraries use. */
export const chat: Dialect = {
  path: /\/chat\/completions$/,
  read: (body) => ({
    tools: objects(body["tools"])
      .map((tool) => tool["function"])
      .filter(isObject)
      .flatMap(named),
    results: objects(body["messages"])
      .filter(({ role }) => role === "tool")
      .map(({ content }) => textOf(content)),
  }),
  whole: (reply) => ({
    ...headOf(reply),
    object: "chat.completion",
    choices: [{ index: 0, message: messageOf(reply), finish_reason: reasonOf(reply) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  stream: (reply) => [
    { data: replyChunk(reply, { delta: messageOf(reply), finish_reason: null }) },
    { data: replyChunk(reply, { delta: {}, finish_reason: reasonOf(reply) }) },
    { data: "[DONE]" },
  ],
  isStream: (body) => body["stream"] === true,
};

function headOf({ id }: Reply) {
  return { id: `chatcmpl-${id}`, created: 1, model: "mock" };
}

function replyChunk(reply: Reply, choice: object) {
  const choices = [{ index: 0, ...choice }];
  return { ...headOf(reply), object: "chat.completion.chunk", choices };
}

function messageOf(reply: Reply) {
  if (reply.kind === "text") return { role: "assistant", content: reply.text };
  const { id, tool, args } = reply;
  const call = { name: tool.name, arguments: JSON.stringify(args) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id, type: "function", function: call }],
  };
}

function reasonOf(reply: Reply): string {
  return reply.kind === "call" ? "tool_calls" : "stop";
}
