import { type Body, type Dialect, named, objects, type Reply, textOf } from "./conversation.ts";

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const DETAILS = {
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

/** The API of OpenAI Responses, which Codex and the OpenAI Agents SDK use. */
export const responses: Dialect = {
  path: /\/responses$/,
  read: (body) => ({
    tools: objects(body["tools"]).flatMap((tool) =>
      tool["type"] === "namespace"
        ? objects(tool["tools"])
            .flatMap(named)
            .map(({ name }) => ({ name, namespace: textOf(tool["name"]) }))
        : named(tool),
    ),
    results: objects(body["input"])
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => textOf(output)),
  }),
  whole: (reply) => responseOf(reply),
  stream: (reply) => {
    const { output, ...response } = responseOf(reply);
    return [
      streamEvent("response.created", { response: { ...response, output: [] } }),
      ...output.map((item, output_index) =>
        streamEvent("response.output_item.done", { output_index, item }),
      ),
      streamEvent("response.completed", { response: { ...response, output } }),
    ];
  },
  isStream: (body) => body["stream"] === true,
};

function responseOf(reply: Reply) {
  return {
    id: `resp_${reply.id}`,
    object: "response",
    created_at: 1,
    model: "mock",
    status: "completed",
    output: [itemOf(reply)],
    usage: { ...USAGE, ...DETAILS },
  };
}

function itemOf(reply: Reply): Body {
  if (reply.kind === "text")
    return {
      type: "message",
      id: `msg_${reply.id}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: reply.text, annotations: [] }],
    };
  const { id, tool, args } = reply;
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    status: "completed",
    ...tool,
    arguments: JSON.stringify(args),
  };
}

function streamEvent(event: string, more: Body) {
  return { event, data: { type: event, ...more } };
}
