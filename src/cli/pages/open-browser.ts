import { spawn } from "node:child_process";
import { systemClock } from "../../base/clock.ts";
import { whyNotStarted } from "../../base/terminal-program.ts";
import { type BrowserProgram, wordsFor } from "../../config/browser.ts";
import { type Env, programEnv } from "../../config/env.ts";

/**
 * A program that passes the address on to a running browser exits soon. A program that still runs after this time is
 * the browser itself, so it was started successfully.
 */
const LONGEST_START_MS = 3000;

/**
 * Opens the address with the first program that can be started. Returns `undefined` on success, otherwise the reason
 * why each program failed.
 */
export async function openInBrowser(
  programs: readonly BrowserProgram[],
  url: string,
  env: Env,
): Promise<readonly string[] | undefined> {
  const faults: string[] = [];
  for (const program of programs) {
    const fault = await startFault(wordsFor(program, url), env);
    if (fault === undefined) return undefined;
    faults.push(`${program[0]}: ${fault}`);
  }
  return faults;
}

/**
 * Starts a program that may outlive this process. Returns why it failed, or `undefined` if it exited with success or
 * still runs.
 */
async function startFault(
  [program = "", ...words]: readonly string[],
  env: Env,
): Promise<string | undefined> {
  const ended = new AbortController();
  let fault: string | undefined;
  const child = spawn(program, words, { env: programEnv(env), detached: true, stdio: "ignore" });
  child
    .once("error", (error) => {
      fault = whyNotStarted(error);
      ended.abort();
    })
    .once("exit", (code, signal) => {
      if (signal !== null) fault = `killed by ${signal}`;
      else if (code !== 0) fault = `exit code ${code}`;
      ended.abort();
    });
  await systemClock.sleep(LONGEST_START_MS, ended.signal);
  child.unref();
  return fault;
}
