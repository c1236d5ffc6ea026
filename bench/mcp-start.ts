/**
 * Measures the time from the start of `svc mcp serve` to its first answer, and compares it with `node -e 0`. The daemon
 * is already running. Fails if the first answer takes more than five times as long as `node -e 0`, both in elapsed time
 * and in processor time. On a busy machine only the processor time is meaningful.
 *
 *   npm run bench -- mcp-start [rounds]
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { startBenchDaemon } from "./support/daemon.ts";
import { median } from "./support/figures.ts";

const ROUNDS = Number(process.argv[2] ?? 15);
const WARM_UP = 3;
const GOAL = 5;
const RUN = path.resolve(import.meta.dirname, "../bin/run.js");

/** The script of the baseline. It does nothing but print its processor time at its end, in microseconds. */
const FLOOR = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeSync(1, String(user + system));
})`;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

interface Times {
  /** Milliseconds until the first answer, or until the end of a process that gives no answer. */
  readonly ms: number;
  /** Milliseconds of processor time that all threads of the process used until the first answer, or until the end. */
  readonly cpuMs: number;
}

const daemon = await startBenchDaemon();
const folder = path.join(daemon.home, "work");
mkdirSync(folder);
execFileSync(process.execPath, [RUN, "init", "--project", "web"], {
  cwd: folder,
  env: daemon.env,
  stdio: "ignore",
});
try {
  await compare();
} finally {
  await daemon.stop();
}

async function compare(): Promise<void> {
  const lines = [
    { name: "node -e 0", take: async () => await measureFloor() },
    { name: "initialize", take: async () => await measureFirstAnswer(INITIALIZE) },
    { name: "tools/list", take: async () => await measureFirstAnswer(LIST) },
  ];
  const taken = new Map(lines.map(({ name }) => [name, [] as Times[]]));
  for (let round = 0; round < WARM_UP + ROUNDS; round++)
    for (const { name, take } of lines) {
      const one = await take();
      if (round >= WARM_UP) taken.get(name)?.push(one);
    }
  let floor: Times | undefined;
  for (const [name, all] of taken) {
    const ms = median(all.map((one) => one.ms));
    const cpuMs = median(all.map((one) => one.cpuMs));
    floor ??= { ms, cpuMs };
    const [wall, cpu] = [ms / floor.ms, cpuMs / floor.cpuMs];
    console.log(
      `  ${name.padEnd(12)} ${ms.toFixed(1).padStart(7)} ms ${wall.toFixed(2)}x, processor ${cpuMs.toFixed(1).padStart(7)} ms ${cpu.toFixed(2)}x`,
    );
    if (wall > GOAL && cpu > GOAL) process.exitCode = 1;
  }
}

async function measureFloor(): Promise<Times> {
  const begun = performance.now();
  const child = start(["-e", FLOOR]);
  const told = firstLine(child);
  await once(child, "exit");
  const ms = performance.now() - begun;
  return { ms, cpuMs: Number(await told) / 1000 };
}

async function measureFirstAnswer(request: object): Promise<Times> {
  const begun = performance.now();
  const child = start([RUN, "mcp", "serve"]);
  child.stdin?.write(`${JSON.stringify(request)}\n`);
  await firstLine(child);
  const taken = { ms: performance.now() - begun, cpuMs: processorMs(child.pid ?? 0) };
  child.stdin?.end();
  await once(child, "exit");
  return taken;
}

function start(words: readonly string[]): ChildProcess {
  const stdio = ["pipe", "pipe", "ignore"] as const;
  return spawn(process.execPath, words, { cwd: folder, env: daemon.env, stdio: [...stdio] });
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of stdout ?? []) {
    text += String(piece);
    if (text.includes("\n")) break;
  }
  return text;
}

/**
 * Returns the processor time of all threads of a process in milliseconds. Linux counts it in nanoseconds for each
 * thread.
 */
function processorMs(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const ran = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8"));
  return ran.reduce((sum, text) => sum + Number(text.split(" ", 1)[0]), 0) / 1e6;
}
