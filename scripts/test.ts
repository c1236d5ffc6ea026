import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Counts, countsLine } from "../test/support/reporter.ts";
import { buildAll } from "./build.ts";

/**
 * The test command: builds what the tests start as a program, runs vitest (whose global setup
 * brings PostgreSQL) and says in its last line how many tests passed. `--golden` rewrites the
 * golden files; everything else is handed to vitest.
 */
const rest = process.argv.slice(2).filter((word) => word !== "--golden");
const golden = process.argv.includes("--golden");
const scratch = mkdtempSync(join(tmpdir(), "svc-test-"));
const countsFile = join(scratch, "counts.json");

await buildAll();
const vitest = join(import.meta.dirname, "..", "node_modules", "vitest", "vitest.mjs");
const run = spawnSync(process.execPath, [vitest, "run", ...rest, ...(golden ? ["golden"] : [])], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
  env: { ...process.env, SVC_TEST_COUNTS: countsFile, ...(golden ? { SVC_GOLDEN: "1" } : {}) },
});
const counts = readCounts();
rmSync(scratch, { recursive: true, force: true });
console.log(countsLine(counts));
process.exitCode = run.status === 0 && counts.failed === 0 ? 0 : 1;

/** Without counts vitest did not get as far as the tests: that is a failure, and reads as one. */
function readCounts(): Counts {
  try {
    return JSON.parse(readFileSync(countsFile, "utf8"));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
