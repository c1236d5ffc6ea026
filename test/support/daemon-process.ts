import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import type { RuntimeRecord } from "../../src/client/record.ts";
import { parseDsn } from "../../src/config/dsn.ts";
import { runtimeDir } from "../../src/config/paths.ts";
import { withCompiledCode } from "./compiled-code.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");

const MAX_END_MS = 60_000;

type Endpoint = Pick<RuntimeRecord, "network" | "address">;

export interface DaemonProcess {
  readonly pid: number;
  readonly endpoint: Endpoint;
  readonly folder: string;
  /** The folder for the record and the log. */
  readonly runtimeDir: string;
  /**
   * Sends a signal. Returns the exit code, or the signal that ended the process. A process that has not ended after a
   * minute is killed, and this throws with what it wrote to stderr: vitest waits without a limit for the end of
   * fixtures.
   */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
  readonly exited: Promise<number | string | null>;
  stderr(): string;
}

export interface ProcessOptions {
  /** The folder for all files of the daemon. Several daemons can use it, one after the other. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** Starts the built `svc daemon start --foreground` in another process, and returns when it is announced. */
export async function daemonProcess({
  folder,
  env = {},
  args = [],
}: ProcessOptions): Promise<DaemonProcess> {
  const child = launch({ folder, env, args });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exited = exitOf(child);
  let code: number | string | null | undefined;
  void exited.then((ended) => {
    code = ended;
  });
  const home = join(folder, "home");
  const runtime = runtimeDir(home, parseDsn(env["SVC_DSN"] ?? join(home, "svc.db"), folder));
  for (;;) {
    const endpoint = endpointIn(runtime, child.pid ?? 0);
    if (endpoint !== undefined) {
      const end = async (signal: NodeJS.Signals): Promise<number | string | null> => {
        child.kill(signal);
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          child.kill("SIGKILL");
        }, MAX_END_MS);
        const ended = await exited;
        clearTimeout(timer);
        if (isLate) throw new Error(`the daemon did not end after ${signal}: ${stderr}`);
        return ended;
      };
      return {
        pid: child.pid ?? 0,
        endpoint,
        folder,
        runtimeDir: runtime,
        end,
        exited,
        stderr: () => stderr,
      };
    }
    if (code !== undefined) throw new Error(`the daemon ended with ${code}: ${stderr}`);
    await systemClock.sleep(5);
  }
}

/** Like `daemonProcess`, but for a start that fails. Returns how the process ended and what it printed. */
export async function daemonAttempt(
  options: ProcessOptions,
): Promise<{ readonly code: number | string | null; readonly stderr: string }> {
  const child = launch(options);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return { code: await exitOf(child), stderr };
}

function launch({ folder, env = {}, args = [] }: ProcessOptions): ChildProcess {
  const run = join(folder, "run");
  mkdirSync(run, { recursive: true, mode: 0o700 });
  return spawn(process.execPath, [LAUNCHER, "daemon", "start", "--foreground", ...args], {
    cwd: folder,
    env: {
      HOME: folder,
      SVC_HOME: join(folder, "home"),
      XDG_RUNTIME_DIR: run,
      ...withCompiledCode(),
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

async function exitOf(child: ChildProcess): Promise<number | string | null> {
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return code ?? signal;
}

function endpointIn(folder: string, pid: number): Endpoint | undefined {
  try {
    if (!readdirSync(folder).includes(`daemon.${pid}.json`)) return undefined;
    const { network, address } = JSON.parse(
      readFileSync(join(folder, `daemon.${pid}.json`), "utf8"),
    );
    return { network, address };
  } catch {
    return undefined;
  }
}
