/**
 * Plays a working day over real issues: 12 agents take, comment and close issues and file follow-ups, each through its
 * own tool server. The same day is then played with `svc … --agent`. It fails if an issue is taken twice or an answer
 * of a tool is larger than allowed, and prints the bytes that an agent read for each closed issue.
 *
 *   npm run bench -- mcp-day [issues] [beads file]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Agent, commandAgent, toolAgent } from "./support/agents.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";

const ISSUES = Number(process.argv[2] ?? 300);
const FILE =
  process.argv[3] ?? path.resolve(import.meta.dirname, "../../shared/data/beads-issues.jsonl");
const AGENTS = 12;
const SVC = path.resolve(import.meta.dirname, "../bin/svc");

const tools = await day(async (daemon, name, folder) => await toolAgent(daemon, name, folder));
const commands = await day(async (daemon, name, folder) => commandAgent(daemon, name, folder));
console.log(`a day of ${AGENTS} agents over the issues of ${path.basename(FILE)}`);
for (const [what, of] of [
  ["tools", tools],
  ["svc … --agent", commands],
] as const)
  console.log(
    `  ${what.padEnd(14)} ${of.closed} closed, ${of.taken} taken, ${of.twice} twice, ${of.lost} claims too late, ${Math.round(of.work / of.closed)} bytes a closed issue, ${Math.round(of.start / AGENTS)} bytes an agent before its first, ${(of.ms / 1000).toFixed(1)} s`,
  );
console.log(`  tools read ${(tools.work / commands.work).toFixed(2)} times the bytes of commands`);
if (tools.twice > 0 || commands.twice > 0) process.exitCode = 1;

type MakeAgent = (daemon: BenchDaemon, name: string, folder: string) => Promise<Agent> | Agent;

async function day(make: MakeAgent) {
  const daemon = await startBenchDaemon();
  try {
    const folder = path.join(daemon.home, "work");
    mkdirSync(folder);
    const options = { cwd: folder, env: daemon.env, stdio: "ignore" } as const;
    execFileSync(SVC, ["init", "--project", "beads"], options);
    execFileSync(SVC, ["import", "--merge", "--source-format", "beads", "--input", FILE], options);
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, async (_, at) => await make(daemon, `agent-${at}`, folder)),
    );
    const begun = performance.now();
    const taken: string[] = [];
    let closed = 0;
    const work = async (agent: Agent): Promise<void> => {
      while (taken.length < ISSUES) {
        const ref = await agent.take();
        if (ref === undefined) return;
        taken.push(ref);
        await agent.comment(ref);
        if (taken.length % 5 === 0) await agent.followUp(ref);
        if (await agent.close(ref)) closed++;
      }
    };
    await Promise.all(agents.map(work));
    const ms = performance.now() - begun;
    const read = agents.map((agent) => agent.read());
    for (const agent of agents) await agent.end();
    return {
      taken: taken.length,
      twice: taken.length - new Set(taken).size,
      closed,
      work: sum(read.map((one) => one.work)),
      start: sum(read.map((one) => one.start)),
      lost: sum(read.map((one) => one.lost)),
      ms,
    };
  } finally {
    await daemon.stop();
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
