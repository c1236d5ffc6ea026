import { execFile } from "node:child_process";
import type { Env } from "../../config/env.ts";
import { findProgram } from "../../config/find-program.ts";

const LONGEST_MS = 10_000;
const MOST_BYTES = 64 * 1024;

export type HelperAnswer = { readonly token: string } | { readonly why: string };

/**
 * Asks the host's own command-line program for its token. The program is run by its absolute path, without a shell, and
 * its environment has HOME and PATH alone, so that no other credential of the daemon gets there.
 */
export async function tokenOfHelper(
  host: string,
  env: Env,
  signal: AbortSignal,
): Promise<HelperAnswer> {
  const found = findProgram("gh", env);
  if ("fault" in found) return { why: `gh is not run: ${found.fault.path} ${found.fault.what}` };
  if (found.path === undefined) return { why: "gh is not installed" };
  const { path } = found;
  const own = Object.fromEntries(
    ["HOME", "PATH"].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  ) as NodeJS.ProcessEnv;
  const limits = { timeout: LONGEST_MS, killSignal: "SIGKILL", maxBuffer: MOST_BYTES } as const;
  const options = { ...limits, signal, env: own, cwd: "/", windowsHide: true };
  const words = ["auth", "token", "--hostname", host];
  return await new Promise((resolve) => {
    const child = execFile(path, words, options, (error, stdout) => {
      const token = stdout.trim();
      if (error === null && token !== "") resolve({ token });
      else resolve({ why: whyOf(error) });
    });
    child.stdin?.end();
  });
}

/** The output of the program is not shown: it may hold the token. */
function whyOf(error: (Error & { killed?: boolean; code?: unknown }) | null): string {
  if (error === null) return "gh printed no token";
  if (error.killed === true) return `gh has not answered within ${LONGEST_MS / 1000} s`;
  return typeof error.code === "number" ? `gh ended with ${error.code}` : "gh cannot be run";
}
