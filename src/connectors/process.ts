import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import { type Env, isSet } from "../config/env.ts";
import type { RuleId } from "./rules.ts";

/** A program that speaks the protocol of docs/connectors.md. */
export interface Program {
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** The name of a variable of the program -> the name of the variable of this process with its value. */
  readonly env: Readonly<Record<string, string>>;
  readonly settings: JsonObject;
}

export type Ran =
  | { readonly stdout: Uint8Array }
  | {
      readonly fault: "process" | "protocol" | "timeout" | "cancelled";
      readonly rule: RuleId;
      readonly why: string;
      /** What a program printed that ended with another exit code than 0. */
      readonly printed?: Uint8Array;
      /** The end of what such a program wrote to stderr, if that is kept. */
      readonly complaint?: Uint8Array;
    };

/** Kills the programs that still run when this process itself is killed, by their process groups. */
export interface GroupKeeper {
  /** Prepares `add`, so that it takes no time after the start of a program. */
  ready(): void;
  add(group: number): void;
  remove(group: number): void;
}

export interface ProcessDeps {
  readonly clock: Pick<Clock, "sleep">;
  readonly environment: Env;
  readonly reaper?: GroupKeeper;
  readonly signal: AbortSignal;
  /** Keeps the end of the program's stderr. Only the author of a program may see it, so a daemon discards it. */
  readonly keepsStderr?: boolean;
  /** Hears that a program goes on that this process may not end, such as one of another user. */
  readonly left?: () => void;
}

export const MOST_STDOUT_BYTES = 4 * 1024 * 1024;
const KILL_GRACE_MS = 100;
const STDOUT_MS = 100;
const REAP_MS = 100;

/**
 * Runs a program once: gives it a request on stdin and returns what it printed. The program has a process group of its
 * own, no shell, and of the environment only `HOME`, `TMPDIR` and the mapped variables. When the call ends, no process
 * of the group is left.
 */
export async function runProgram(
  program: Program,
  request: Uint8Array,
  { clock, environment, reaper, signal, keepsStderr = false, left }: ProcessDeps,
): Promise<Ran> {
  if (signal.aborted) return CANCELLED;
  const own = childEnvironment(program.env, environment);
  if (typeof own === "string")
    return failed("process.start", `the variable ${own} of env is not set`);
  reaper?.ready();
  const child = start(program, own, keepsStderr);
  if (child === undefined) return failed("process.start", CANNOT_RUN);
  const { pid } = child;
  const running = watch(child);
  const done = new AbortController();
  const late = clock.sleep(program.timeoutMs, done.signal).then((): Ran => TIMED_OUT);
  const stop = aborted(signal, done.signal).then((): Ran => CANCELLED);
  const atMost = async (ms: number): Promise<unknown> =>
    await Promise.race([running.closed, clock.sleep(ms, done.signal)]);
  try {
    if (pid !== undefined) reaper?.add(pid);
    child.stdin?.on("error", () => {
      // The program has closed its stdin, or has ended, before it read everything.
    });
    child.stdin?.end(request);
    const ended = await Promise.race([running.ended, running.overflow, late, stop]);
    if (ended !== undefined && "fault" in ended) {
      if (ended === TIMED_OUT || ended === CANCELLED) {
        end(child, "SIGTERM");
        await atMost(KILL_GRACE_MS);
      } else if (ended.rule === "process.exit") {
        await atMost(STDOUT_MS);
        return { ...ended, printed: running.printed(), complaint: running.complaint() };
      }
      return ended;
    }
    await atMost(STDOUT_MS);
    return running.output();
  } finally {
    if (!end(child, "SIGKILL")) left?.();
    await atMost(REAP_MS);
    done.abort();
    child.stdout?.destroy();
    child.stderr?.destroy();
    if (pid !== undefined) reaper?.remove(pid);
  }
}

const CANNOT_RUN = "it cannot be started: is it an executable file, with the whole path?";
const TIMED_OUT: Ran = {
  ...{ fault: "timeout", rule: "process.time" },
  why: "it has not answered within its time limit",
};
const CANCELLED: Ran = { fault: "cancelled", rule: "process.time", why: "the call was cancelled" };

function failed(rule: RuleId, why: string): Ran {
  return { fault: "process", rule, why };
}

function start(program: Program, env: Env, keepsStderr: boolean): ChildProcess | undefined {
  try {
    return spawn(program.command, program.args, {
      ...{ env: env as NodeJS.ProcessEnv, cwd: "/", windowsHide: true, detached: HAS_GROUPS },
      stdio: ["pipe", "pipe", keepsStderr ? "pipe" : "ignore"],
    });
  } catch {
    // Node throws at once if a path or a value has a NUL byte, or if the arguments are too long.
    return undefined;
  }
}

const HAS_GROUPS = process.platform !== "win32";

/** The environment of the program, or the name of a mapped variable that is not set. */
function childEnvironment(mapped: Readonly<Record<string, string>>, from: Env): Env | string {
  const own: Record<string, string> = {};
  for (const name of HAS_GROUPS ? KEPT : KEPT_ON_WINDOWS) {
    const value = from[name];
    if (value !== undefined) own[name] = value;
  }
  for (const [name, source] of Object.entries(mapped)) {
    const value = from[source];
    if (!isSet(value)) return source;
    own[name] = value;
  }
  return own;
}

const KEPT = ["HOME", "TMPDIR"];
const KEPT_ON_WINDOWS = [...KEPT, "SystemRoot", "ComSpec", "TEMP", "TMP", "USERPROFILE"];

interface Watched {
  /** Settles when the program has ended: undefined after exit code 0. */
  readonly ended: Promise<Ran | undefined>;
  /** Settles when the program has printed too much. */
  readonly overflow: Promise<Ran>;
  /** Settles when the program has ended and nobody holds its stdout. */
  readonly closed: Promise<void>;
  /** What a program that ended with exit code 0 has printed. */
  output(): Ran;
  /** What the program has printed so far. */
  printed(): Uint8Array;
  /** The end of what the program has written to stderr so far. */
  complaint(): Uint8Array;
}

const MOST_STDERR_BYTES = 400;

function watch(child: ChildProcess): Watched {
  const ended = Promise.withResolvers<Ran | undefined>();
  const overflow = Promise.withResolvers<Ran>();
  const closed = Promise.withResolvers<void>();
  const parts: Uint8Array[] = [];
  let [bytes, isClosed] = [0, false];
  let waitsFor = 2;
  // A child of the program may hold stderr for long; only who holds stdout can still print an answer.
  const partClosed = (): void => {
    waitsFor -= 1;
    if (waitsFor > 0) return;
    isClosed = true;
    closed.resolve();
  };
  let stderr = Buffer.alloc(0);
  child.stderr?.on("data", (part: Uint8Array) => {
    // One byte more than is shown, which tells whether something was cut.
    stderr = Buffer.concat([stderr, part]).subarray(-MOST_STDERR_BYTES - 1);
  });
  child.stdout?.on("data", (part: Uint8Array) => {
    bytes += part.length;
    if (bytes <= MOST_STDOUT_BYTES) parts.push(part);
    else overflow.resolve(TOO_MUCH);
  });
  child.once("error", () => ended.resolve(failed("process.start", CANNOT_RUN)));
  child.once("exit", (code, signal) => {
    if (code === 0) ended.resolve(undefined);
    else ended.resolve(failed("process.exit", `it ended with ${signal ?? `exit code ${code}`}`));
  });
  child.once("exit", partClosed);
  child.stdout?.once("close", partClosed);
  return {
    ...{ ended: ended.promise, overflow: overflow.promise, closed: closed.promise },
    output: () => {
      if (!isClosed)
        return failed("process.stdout", "it has ended, but a program that it started goes on");
      return bytes > MOST_STDOUT_BYTES ? TOO_MUCH : { stdout: Buffer.concat(parts) };
    },
    printed: () => Buffer.concat(parts),
    complaint: () => lastLines(stderr),
  };
}

/** The last whole lines. A line that is cut could begin with a part of a secret, which nothing would recognize. */
function lastLines(bytes: Buffer): Buffer {
  if (bytes.length <= MOST_STDERR_BYTES) return bytes;
  const line = bytes.indexOf("\n");
  return line === -1 ? Buffer.alloc(0) : bytes.subarray(line + 1);
}

const TOO_MUCH: Ran = {
  ...{ fault: "protocol", rule: "process.size" },
  why: "it printed more than 4 MiB",
};

async function aborted(signal: AbortSignal, done: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true, signal: done });
  });
}

/**
 * Sends a signal to all processes of the program's group. On Windows it ends the program and what it started. False if
 * the program goes on, since it belongs to another user.
 */
function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): boolean {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined) return true;
  if (!HAS_GROUPS) {
    if (signal === "SIGKILL" && exitCode === null) endTree(pid);
    return true;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // Otherwise no process of the group is left.
    const isForbidden = (error as NodeJS.ErrnoException).code === "EPERM";
    return !isForbidden || exitCode !== null || signalCode !== null;
  }
}

function endTree(pid: number): void {
  spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
    "error",
    () => {
      // Windows without taskkill: the program ends by itself when its stdin is closed.
    },
  );
}
