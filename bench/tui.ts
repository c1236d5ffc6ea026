/**
 * The screen on a terminal of 160x50 with 10,000 issues: from the start to the first picture, from a key to the end of
 * what it draws, bytes for each key, memory, and what it costs to do nothing and to follow 50 changes a second. vim on a
 * file of as many lines is the native program in the same run, `node -e 0` the floor of a start.
 *
 *   npm run bench -- tui [keys]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { spawn } from "@lydell/node-pty";
import { connect } from "./support/connection.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";
import { median, percentile } from "./support/figures.ts";
import { seed } from "./support/seed.ts";

const KEYS = Number(process.argv[2] ?? 120);
const ISSUES = 10_000;
const [COLUMNS, ROWS] = [160, 50];
/** A picture is over when the terminal has been quiet for so long. */
const QUIET_MS = 40;
const TICKS_PER_SECOND = 100;

const RUN = path.resolve(import.meta.dirname, "..", "bin", "run.js");
const home = mkdtempSync(path.join(tmpdir(), "svc-tui-"));
await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES });
const daemon = await startBenchDaemon({ home });
const cwd = path.join(home, "workspace");
mkdirSync(cwd);
writeFileSync(path.join(cwd, ".svc.toml"), 'version = 1\n\n[project]\nname = "bench"\n');

const floor = median(Array.from({ length: 20 }, () => startOf(process.execPath, ["-e", "0"])));
const starts: number[] = [];
for (let round = 0; round < 7; round += 1) {
  const program = svc();
  starts.push(await program.firstPicture("1 Board"));
  program.end();
}
const first = median(starts.slice(2));
console.log(
  `first picture   ${first.toFixed(0)} ms, ${(first / floor).toFixed(1)}x node -e 0 (goal 7)`,
);

const screen = svc();
await screen.firstPicture("1 Board");
await sleep(2000);
await keys("svc, a key a time", screen);
console.log(`memory          ${screen.memoryMiB().toFixed(0)} MiB (goal 170)`);
await sleep(1500);
const idle = await during(screen, 10_000, async () => await sleep(10_000));
console.log(
  `idle            ${idle.bytes} bytes, ${idle.cpu.toFixed(2)} % CPU (goal 0 bytes, 0.05 %)`,
);

const stop = await changes(daemon, 50);
await keys("svc, 50 changes/s", screen);
const busy = await during(screen, 5000, async () => await sleep(5000));
console.log(
  `50 changes/s    ${busy.cpu.toFixed(1)} % CPU, ${(busy.bytes / 5000).toFixed(1)} kB/s (goal 12 %)`,
);
stop();
screen.end();

const lines = path.join(home, "lines.txt");
writeFileSync(
  lines,
  Array.from({ length: ISSUES }, (_none, at) => `line ${at} of a file`).join("\n"),
);
const vim = open("vim", ["-u", "NONE", "-N", lines]);
await vim.firstPicture("line 0 of a file");
await keys("vim", vim);
vim.end();

await daemon.stop();
rmSync(home, { recursive: true, force: true });

/** Down, with a pause between, so that each key's picture is its own. */
async function keys(name: string, program: Program): Promise<void> {
  const times: number[] = [];
  const bytes: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const drawn = await program.key("j");
    times.push(drawn.ms);
    bytes.push(drawn.bytes);
  }
  const figures = [median(times), percentile(times, 0.99)].map((ms) => ms.toFixed(1)).join(" / ");
  console.log(`${name.padEnd(18)} ${figures} ms p50/p99 (goal 13/33), ${median(bytes)} bytes`);
}

interface Program {
  /** Milliseconds from its start until the text was written. */
  firstPicture(text: string): Promise<number>;
  key(key: string): Promise<{ readonly ms: number; readonly bytes: number }>;
  written(): number;
  memoryMiB(): number;
  cpuTicks(): number;
  end(): void;
}

function svc(): Program {
  return open(process.execPath, [RUN, "tui"]);
}

function open(command: string, words: readonly string[]): Program {
  const start = performance.now();
  const env = { ...daemon.env, HOME: home, TERM: "xterm-256color" };
  const child = spawn(command, [...words], { cols: COLUMNS, rows: ROWS, cwd, env });
  let text = "";
  let last = 0;
  let count = 0;
  child.onData((data) => {
    last = performance.now();
    count += data.length;
    text = (text + data).slice(-20_000);
  });
  const stat = (): string => readFileSync(`/proc/${child.pid}/stat`, "utf8");
  return {
    firstPicture: async (wanted) => {
      while (!text.includes(wanted)) await sleep(1);
      return last - start;
    },
    key: async (key) => {
      const sent = performance.now();
      const before = count;
      last = 0;
      child.write(key);
      while (last === 0 || performance.now() - last < QUIET_MS) {
        await sleep(1);
        if (performance.now() - sent > 500) break;
      }
      return { ms: Math.max(0, last - sent), bytes: count - before };
    },
    written: () => count,
    memoryMiB: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    cpuTicks: () => {
      const fields = stat()
        .slice(stat().lastIndexOf(")") + 2)
        .split(" ");
      return Number(fields[11]) + Number(fields[12]);
    },
    end: () => child.kill("SIGKILL"),
  };
}

async function during(program: Program, ms: number, work: () => Promise<void>) {
  const [ticks, bytes] = [program.cpuTicks(), program.written()];
  await work();
  const seconds = (program.cpuTicks() - ticks) / TICKS_PER_SECOND;
  return { cpu: (100 * seconds) / (ms / 1000), bytes: program.written() - bytes };
}

/** So many changes a second by another hand, until told to stop. */
async function changes({ socketPath }: BenchDaemon, perSecond: number): Promise<() => void> {
  const connection = await connect(socketPath);
  const answer = await connection.send("GET", "/api/v1/issues?limit=200");
  const { issues } = JSON.parse(answer.body) as {
    issues: { project_id: number; short_id: string }[];
  };
  let at = 0;
  const timer = setInterval(() => {
    const issue = issues[at % issues.length];
    at += 1;
    if (issue === undefined) return;
    const target = `/api/v1/projects/${issue.project_id}/issues/${issue.short_id}/actions/priority`;
    void connection.send("POST", target, JSON.stringify({ priority: at % 5, actor: "other" }));
  }, 1000 / perSecond);
  return () => {
    clearInterval(timer);
    connection.close();
  };
}

function startOf(program: string, words: readonly string[]): number {
  const start = performance.now();
  spawnSync(program, words);
  return performance.now() - start;
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
