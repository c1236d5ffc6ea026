import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Counts, countsLine } from "../test/support/reporter.ts";
import { buildAll } from "./build.ts";

/**
 * The test command: builds what the tests start as a program, runs vitest (whose global setup starts PostgreSQL), and
 * prints in its last line how many tests passed. `--golden` runs the tests that compare with golden files and lets them
 * write these files. `--routes` runs the tests that call routes and writes docs/routes.md from the answers. All other
 * arguments are passed to vitest.
 */
const root = join(import.meta.dirname, "..");
const golden = process.argv.includes("--golden");
const routes = process.argv.includes("--routes");
const words = process.argv.slice(2).filter((word) => word !== "--golden" && word !== "--routes");
const scratch = mkdtempSync(join(tmpdir(), "svc-test-"));
const countsFile = join(scratch, "counts.json");
const NOT_POSTGRES = "^(?!.* on PostgreSQL)";
/** A run that takes longer has probably hung and is stopped, so that it ends with a failure. */
const LIMIT_MS = 78 * 60_000;

await buildAll();
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const seen = join(scratch, "seen");
const files = [
  ...(golden ? testsWith("support/golden.ts") : []),
  // For the table of routes, only the tests on SQLite run: PostgreSQL gives the same error codes and is much slower.
  ...(routes && words.length === 0 ? ["test/http", "test/daemon", "-t", NOT_POSTGRES] : []),
];
const run = spawnSync(process.execPath, [vitest, "run", ...words, ...files], {
  cwd: root,
  stdio: "inherit",
  timeout: LIMIT_MS,
  killSignal: "SIGKILL",
  env: {
    ...process.env,
    SVC_TEST_COUNTS: countsFile,
    ...(golden ? { SVC_GOLDEN: "1" } : {}),
    ...(routes ? { SVC_SEEN: seen } : {}),
  },
});
if (run.signal !== null) console.error(`the test run was ended by ${run.signal}`);
const counts = readCounts();
if (routes) {
  const { writeRoutesTable } = await import("../test/support/routes-table.ts");
  writeRoutesTable(root, seen);
}
rmSync(scratch, { recursive: true, force: true });
console.log(countsLine(counts));
process.exitCode = run.status === 0 && counts.failed === 0 ? 0 : 1;

function testsWith(text: string): readonly string[] {
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join("test", file))
    .filter((file) => readFileSync(join(root, file), "utf8").includes(text));
}

/** If the file of counts is missing, vitest did not reach the tests. This is reported as a failure. */
function readCounts(): Counts {
  try {
    return JSON.parse(readFileSync(countsFile, "utf8"));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
