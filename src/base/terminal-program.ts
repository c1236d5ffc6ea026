import { spawnSync } from "node:child_process";
import { errorCode } from "./error-code.ts";
import { faultOf } from "./system-faults.ts";

export interface ProgramEnd {
  /**
   * Why the program failed: it did not start, was killed, or had an exit code other than 0. `undefined` for a success.
   */
  readonly why: string | undefined;
  readonly wasKilled: boolean;
}

export type ProgramEnv = Readonly<Record<string, string | undefined>>;

/**
 * Runs a program without a shell on the terminal of this process, and waits for its end. Without `env`, it inherits the
 * environment of this process.
 */
export function runOnTerminal(
  program: string,
  words: readonly string[],
  env?: ProgramEnv,
): ProgramEnd {
  const options = env === undefined ? {} : { env };
  const { status, signal, error } = spawnSync(program, words, { stdio: "inherit", ...options });
  if (signal !== null) return { why: `killed by ${signal}`, wasKilled: true };
  if (error !== undefined) return { why: whyNotStarted(error), wasKilled: false };
  return { why: status === 0 ? undefined : `exit code ${status}`, wasKilled: false };
}

export function whyNotStarted(error: Error): string {
  const code = errorCode(error) ?? "";
  return code === "ENOENT" ? "there is no such program" : (faultOf(code)?.what ?? error.message);
}
