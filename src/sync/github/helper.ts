import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "../../base/clock.ts";
import type { Env } from "../../config/env.ts";
import { findProgram } from "../../config/find-program.ts";

const LONGEST_MS = 10_000;
const MOST_CHARACTERS = 16 * 1024;

export type HelperAnswer = { readonly token: string } | { readonly why: string };

interface Asking {
  readonly clock: Clock;
  readonly env: Env;
  readonly signal: AbortSignal;
}

/**
 * Asks the host's own command-line program for its token. The program is run by its absolute path, without a shell, and
 * its environment has HOME and PATH alone, so that no other credential of the daemon gets there. Its output is shown
 * nowhere, since it may hold the token.
 */
export async function tokenOfHelper(
  host: string,
  { clock, env, signal }: Asking,
): Promise<HelperAnswer> {
  const found = findProgram("gh", env);
  if ("fault" in found) return { why: `gh is not run: ${found.fault.path} ${found.fault.what}` };
  if (found.path === undefined) return { why: "gh is not installed" };
  const [late, done] = [new AbortController(), new AbortController()];
  void clock.sleep(LONGEST_MS, done.signal).then(() => {
    if (!done.signal.aborted) late.abort();
  });
  try {
    const stop = AbortSignal.any([late.signal, signal]);
    return await outputOf(found.path, ["auth", "token", "--hostname", host], env, stop);
  } finally {
    done.abort();
  }
}

async function outputOf(
  path: string,
  words: readonly string[],
  env: Env,
  stop: AbortSignal,
): Promise<HelperAnswer> {
  const own = Object.fromEntries(
    ["HOME", "PATH"].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  ) as NodeJS.ProcessEnv;
  const isGroup = process.platform !== "win32";
  // Start the program in a process group of its own, so that it can be ended together with all that it started.
  const child = spawn(path, words, {
    ...{ env: own, cwd: "/", windowsHide: true, detached: isGroup },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const end = (): void => endAll(child, isGroup);
  return await new Promise((resolve) => {
    let output = "";
    const fail = (why: string): void => {
      resolve({ why });
      end();
    };
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      if (output.length > MOST_CHARACTERS) fail("gh printed more than a token");
    });
    child.once("error", () => fail("gh cannot be run"));
    child.once("exit", (code) => {
      if (code !== 0) fail(`gh gave no token (it ended with ${code})`);
    });
    child.once("close", () => {
      const token = output.trim();
      resolve(token === "" ? { why: "gh printed no token" } : { token });
    });
    const late = (): void => fail(`gh has not answered within ${LONGEST_MS / 1000} s`);
    if (stop.aborted) late();
    else stop.addEventListener("abort", late, { once: true });
  });
}

/** Ends a program and all programs that it started, since they may still use its output. */
function endAll(child: ChildProcess, isGroup: boolean): void {
  child.stdout?.destroy();
  if (child.pid === undefined) return;
  try {
    process.kill(isGroup ? -child.pid : child.pid, "SIGKILL");
  } catch {
    // The program has ended already.
  }
}
