import { type Dialect, isObject, named, objects, type Reply, textOf } from "./conversation.ts";

/** The API of Gemini, `generateContent`, which Gemini CLI uses. */
export const gemini: Dialect = {
  path: /:(?:generateContent|streamGenerateContent)(?:\?|$)/,
  read: (body) => ({
    tools: objects(body["tools"])
      .flatMap(({ functionDeclarations }) => objects(functionDeclarations))
      .flatMap(named),
    results: objects(body["contents"])
      .flatMap(({ parts }) => objects(parts))
      .map(({ functionResponse }) => functionResponse)
      .filter(isObject)
      .map(({ response }) => textOf(response)),
  }),
  whole: (reply) => ({
    candidates: [
      { index: 0, content: { role: "model", parts: [partOf(reply)] }, finishReason: "STOP" },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
  stream: (reply) => [{ data: gemini.whole(reply) }],
  isStream: (_body, path) => path.includes(":streamGenerateContent"),
};

function partOf(reply: Reply) {
  if (reply.kind === "text") return { text: reply.text };
  return { functionCall: { id: reply.id, name: reply.tool.name, args: reply.args } };
}
