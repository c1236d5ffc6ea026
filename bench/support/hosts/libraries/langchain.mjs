// Runs in the folder with the packages: node langchain.mjs <file with the entry> <task>
import { readFileSync } from "node:fs";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

const [, , file, task] = process.argv;
const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
const client = new MultiServerMCPClient({ mcpServers });
const agent = createAgent({
  model: new ChatOpenAI({ model: "mock" }),
  tools: await client.getTools(),
});
await agent.invoke({ messages: [{ role: "user", content: task }] }, { recursionLimit: 50 });
await client.close();
