// Runs in the folder with the packages: node vercel-ai.mjs <file with the entry> <task>
import { readFileSync } from "node:fs";
import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount } from "ai";

const [, , file, task] = process.argv;
const { svc } = JSON.parse(readFileSync(file, "utf8")).mcpServers;
const client = await createMCPClient({ transport: new StdioMCPTransport(svc) });
const model = createOpenAICompatible({ name: "mock", baseURL: process.env.OPENAI_BASE_URL });
await generateText({
  model: model("mock"),
  tools: await client.tools(),
  stopWhen: isStepCount(20),
  prompt: task,
});
await client.close();
