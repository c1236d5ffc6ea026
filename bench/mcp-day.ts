/**
 * Plays a working day with real issues: 12 agents take, read, comment on and close issues and create follow-up issues,
 * each through its own tool server. The same day is then played with `svc … --agent` instead of tools. It fails if an
 * issue is taken twice or if an answer of a tool is larger than allowed. It prints how many bytes an agent read for
 * each closed issue, by tool and by command.
 *
 *   npm run bench -- mcp-day [issues] [beads file] [tools | commands]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Agent, LATE_CLAIM, Tally } from "./support/agents.ts";
import { commandAgent } from "./support/command-agent.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";
import { toolAgent } from "./support/tool-agent.ts";

type MakeAgent = (daemon: BenchDaemon, name: string, folder: string) => Promise<Agent> | Agent;

const WAYS: Readonly<Record<string, MakeAgent>> = {
  tools: toolAgent,
  commands: commandAgent,
};

const ISSUES = Number(process.argv[2] ?? 300);
const FILE =
  process.argv[3] ?? path.resolve(import.meta.dirname, "../../shared/data/beads-issues.jsonl");
const WAY = process.argv[4];
const AGENTS = 12;
const SVC = path.resolve(import.meta.dirname, "../bin/svc");
/**
 * The steps that every closed issue needs. Their bytes are summed up separately, without those of `show` and `create`.
 */
const LINE = ["next", "claim", LATE_CLAIM, "comment", "close"];

console.log(`a day of ${AGENTS} agents over the issues of ${path.basename(FILE)}`);
for (const [way, make] of Object.entries(WAYS)) {
  if (WAY !== undefined && WAY !== way) continue;
  const { taken, twice, closed, tally, start, ms } = await measureDay(make);
  const bytesPerClose = (bytes: number): number => Math.round(bytes / closed);
  console.log(
    `${way}: ${closed} closed, ${taken} taken, ${twice} twice, ${tally.calls(LATE_CLAIM)} late claims, ${(ms / 1000).toFixed(1)} s`,
  );
  console.log(
    `  bytes a closed issue: ${bytesPerClose(tally.bytes(LINE))} to take, comment and close it; ${bytesPerClose(tally.bytes())} in all; ${Math.round(start / AGENTS)} an agent before its first`,
  );
  for (const [name, { calls, bytes }] of tally.counts)
    console.log(
      `  ${name.padEnd(12)} ${String(calls).padStart(5)} answers of ${String(Math.round(bytes / calls)).padStart(5)} bytes, ${String(bytesPerClose(bytes)).padStart(5)} a closed issue`,
    );
  if (twice > 0) process.exitCode = 1;
}

async function measureDay(make: MakeAgent) {
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
    let begunTakes = 0;
    let closed = 0;
    const workThrough = async (agent: Agent): Promise<void> => {
      while (begunTakes < ISSUES) {
        begunTakes++;
        const ref = await agent.take();
        if (ref === undefined) return;
        taken.push(ref);
        await agent.show(ref);
        await agent.comment(ref);
        if (taken.length % 5 === 0) await agent.followUp(ref);
        if (await agent.close(ref)) closed++;
      }
    };
    await Promise.all(agents.map(workThrough));
    const ms = performance.now() - begun;
    const tally = new Tally();
    for (const agent of agents) tally.addAll(agent.tally);
    for (const agent of agents) await agent.end();
    return {
      taken: taken.length,
      twice: taken.length - new Set(taken).size,
      closed,
      tally,
      start: agents.reduce((sum, agent) => sum + agent.start, 0),
      ms,
    };
  } finally {
    await daemon.stop();
  }
}
