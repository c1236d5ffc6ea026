import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "./connection.ts";

const SVC = path.resolve(import.meta.dirname, "../../bin/svc");

/** A daemon of a built svc, in its own process. When it stops, its home is deleted if it was made for this daemon. */
export interface BenchDaemon {
  readonly home: string;
  readonly socketPath: string;
  readonly pid: number;
  readonly env: NodeJS.ProcessEnv;
  residentMiB(): number;
  stop(): Promise<void>;
}

export async function startBenchDaemon(
  options: { home?: string; env?: Record<string, string>; svc?: string } = {},
): Promise<BenchDaemon> {
  const { svc = SVC } = options;
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), "svc-bench-"));
  const env = {
    ...process.env,
    SVC_HOME: home,
    SVC_AUTHOR: "bench",
    XDG_RUNTIME_DIR: home,
    ...options.env,
  };
  const child = spawn(svc, ["daemon", "start", "--foreground"], { env, stdio: "ignore" });
  process.once("exit", () => child.kill());
  const socketPath = await readySocket(svc, env, child);
  const pid = await daemonPid(socketPath);
  return {
    home,
    socketPath,
    pid,
    env,
    residentMiB: () => residentMiB(pid),
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await ended;
      }
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

async function readySocket(
  svc: string,
  env: NodeJS.ProcessEnv,
  child: ChildProcess,
): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    try {
      const text = execFileSync(svc, ["daemon", "locate", "--json", "--no-start"], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
      });
      return (JSON.parse(text.toString()) as { address: string }).address.replace("unix://", "");
    } catch {
      // The daemon does not listen yet.
    }
  }
  throw new Error("the daemon did not start");
}

async function daemonPid(socketPath: string): Promise<number> {
  const connection = await connect(socketPath);
  const ping = await connection.send("GET", "/api/v1/ping");
  connection.close();
  return (JSON.parse(ping.body) as { pid: number }).pid;
}

/** The processor time that the running threads of a process have used so far, in milliseconds. */
export function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + threadMs(`/proc/${pid}/task/${thread}`), 0);
}

function threadMs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    // The thread has ended since it was listed.
    return 0;
  }
}

function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}
