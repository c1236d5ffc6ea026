// Runs in the folder with the packages: node openai-agents.mjs <file with the entry> <task>
import { readFileSync } from "node:fs";
import { Agent, MCPServerStdio, run } from "@openai/agents";

const [, , file, task] = process.argv;
const { svc } = JSON.parse(readFileSync(file, "utf8")).mcpServers;
const server = new MCPServerStdio({
  name: "svc",
  command: svc.command,
  args: svc.args,
  env: svc.env,
});
await server.connect();
await run(new Agent({ name: "agent", model: "mock", mcpServers: [server] }), task, {
  maxTurns: 20,
});
await server.close();
