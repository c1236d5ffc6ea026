import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { systemClock } from "../base/clock.ts";
import { type Env, readyVariable } from "../config/env.ts";
import type { Config } from "../config/load.ts";
import { daemonLogPath } from "../config/paths.ts";
import { daemonEnv } from "./program.ts";

export interface StartedChild {
  /** Aborted when the child is ready or has ended. */
  readonly news: AbortSignal;
  ended(): { readonly code: number; readonly at: number } | undefined;
  /** The last 4096 bytes of the child's output. */
  logTail(): string;
}

export interface SpawnOptions {
  readonly env?: Env;
  /** Further arguments of `daemon start --foreground`. */
  readonly args?: readonly string[];
}

const TAIL_BYTES = 4096;

/**
 * Limits the memory of the daemon. Without these flags, Node enlarges the space for new objects to 128 MiB, and lets
 * the old objects grow to four times what is in use. `bin/svc` sets the same flags.
 */
const NODE_FLAGS = ["--max-semi-space-size=4", "--heap-growing-percent=30"];

/** Starts `svc daemon start --foreground` in a separate session. Its output goes to the daemon's log. */
export async function spawnDaemon(
  config: Config,
  launcher: string,
  runtimeDir: string,
  { env = daemonEnv(config), args = [] }: SpawnOptions = {},
): Promise<StartedChild> {
  const { spawn } = await import("node:child_process");
  const path = daemonLogPath(runtimeDir);
  const log = openSync(path, "a", 0o600);
  const begin = fstatSync(log).size;
  let end: ReturnType<StartedChild["ended"]>;
  const news = new AbortController();
  try {
    const words = [...NODE_FLAGS, launcher, "daemon", "start", "--foreground", ...args];
    const child = spawn(process.execPath, words, {
      cwd: config.home,
      env: { ...env, ...readyVariable(READY_AT) },
      detached: true,
      stdio: ["ignore", log, log, "pipe"],
      windowsHide: true,
    });
    const noteEnd = (code: number): void => {
      end ??= { code, at: systemClock.nowMs() };
    };
    child.on("exit", (code) => noteEnd(code ?? 1)).on("error", () => noteEnd(1));
    child.unref();
    onFirstData(child.stdio[READY_AT], () => news.abort());
  } finally {
    closeSync(log);
  }
  return { news: news.signal, ended: () => end, logTail: () => readFrom(path, begin) };
}

/** Calls `listener` once, at the first data, error or end of the pipe. The pipe does not keep this process alive. */
function onFirstData(pipe: Readable | Writable | null | undefined, listener: () => void): void {
  if (!(pipe instanceof Socket)) return;
  const done = (): void => {
    pipe.destroy();
    listener();
  };
  pipe.once("data", done).once("error", done).once("close", done).unref();
}

/** The file descriptor on which the child reports that it is ready: the first one after stdin, stdout and stderr. */
const READY_AT = 3;

function readFrom(path: string, begin: number): string {
  try {
    const bytes = readFileSync(path).subarray(begin);
    return bytes
      .subarray(Math.max(0, bytes.length - TAIL_BYTES))
      .toString("utf8")
      .trim();
  } catch {
    return "";
  }
}
