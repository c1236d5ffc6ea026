import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Counts, countsLine, type Progress } from "../test/support/reporter.ts";

export interface VitestOptions {
  readonly root: string;
  readonly limitMs: number;
  readonly env?: NodeJS.ProcessEnv;
}

export interface VitestResult {
  readonly passed: boolean;
  /** What to print at the end; its last line is the count of tests. */
  readonly summary: readonly string[];
}

/**
 * Runs vitest with a reporter that writes its counts after each file (test/support/reporter.ts). A run that takes
 * longer than the limit has probably hung. It is then ended and counts as one more failure. The summary keeps the
 * counts so far, and names the test files that were still running and those that took longest.
 */
export function runVitest(
  args: readonly string[],
  { root, limitMs, env = process.env }: VitestOptions,
): VitestResult {
  const scratch = mkdtempSync(join(tmpdir(), "svc-test-"));
  const countsFile = join(scratch, "counts.json");
  const vitest = join(import.meta.dirname, "..", "node_modules", "vitest", "vitest.mjs");
  const run = spawnSync(process.execPath, [vitest, "run", ...args], {
    cwd: root,
    stdio: "inherit",
    timeout: limitMs,
    killSignal: "SIGKILL",
    env: { ...env, SVC_TEST_COUNTS: countsFile },
  });
  const { counts, running, slowest } = readProgress(countsFile);
  rmSync(scratch, { recursive: true, force: true });
  if (run.signal === null) {
    const passed = run.status === 0 && counts.failed === 0;
    return { passed, summary: [countsLine(counts)] };
  }
  const ended: Counts = { ...counts, failed: counts.failed + 1 };
  const summary = [
    `the test run was ended by ${run.signal} after ${Math.round(limitMs / 1000)} s`,
    `still running: ${running.join(", ") || "no file"}`,
    ...slowest.map(({ file, ms }) => `took ${Math.round(ms / 1000)} s: ${file}`),
    countsLine(ended),
  ];
  return { passed: false, summary };
}

/**
 * Returns the progress that the reporter has written. If there is no such file, vitest did not reach the tests, and the
 * progress has one failed test.
 */
function readProgress(file: string): Progress {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { counts: { passed: 0, failed: 1, skipped: 0 }, running: [], slowest: [] };
  }
}
