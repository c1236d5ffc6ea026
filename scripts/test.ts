import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LANES } from "../test/lanes.ts";
import { buildAll } from "./build.ts";
import { runVitest } from "./vitest.ts";

/**
 * The test command. Builds the programs that tests start, runs vitest (whose global setup starts PostgreSQL), and
 * prints in its last line how many tests passed. `--golden` runs the tests that compare with golden files and lets them
 * write these files. `--routes` runs the tests that call routes and writes docs/routes.md from the answers. The name of
 * a lane (test/lanes.ts) runs the tests of that lane. All other arguments are passed to vitest.
 */
const root = join(import.meta.dirname, "..");
const golden = process.argv.includes("--golden");
const routes = process.argv.includes("--routes");
const isLane = (word: string): boolean => LANES.some((lane) => lane === word);
const given = process.argv.slice(2).filter((word) => word !== "--golden" && word !== "--routes");
const lanes = given.filter(isLane);
const words = [
  ...given.filter((word) => !isLane(word)),
  // Files of the pure lane that cannot share modules with other tests are in a vitest project of their own, whose name
  // begins with the name of the lane.
  ...lanes.flatMap((lane) => ["--project", `${lane}*`]),
];
const scratch = mkdtempSync(join(tmpdir(), "svc-test-"));
const NOT_POSTGRES = "^(?!.* on PostgreSQL)";
/** The run may take this long. It is less than the 90 minutes that a run of all checks may take. */
const LIMIT_MS = 78 * 60_000;

// No test of the pure lane starts a built program.
if (lanes.length === 0 || lanes.some((lane) => lane !== "pure")) await buildAll();
const seen = join(scratch, "seen");
const files = [
  ...(golden ? testsWith("support/golden.ts") : []),
  // For the table of routes, only the tests on SQLite run: PostgreSQL gives the same error codes and is much slower.
  ...(routes && words.length === 0 ? ["test/http", "test/daemon", "-t", NOT_POSTGRES] : []),
];
const { passed, summary } = runVitest([...words, ...files], {
  root,
  limitMs: LIMIT_MS,
  env: {
    ...process.env,
    ...(golden ? { SVC_GOLDEN: "1" } : {}),
    ...(routes ? { SVC_SEEN: seen } : {}),
  },
});
if (routes) {
  const { writeRoutesTable } = await import("../test/support/routes-table.ts");
  writeRoutesTable(root, seen);
}
rmSync(scratch, { recursive: true, force: true });
for (const line of summary) console.log(line);
process.exitCode = passed ? 0 : 1;

function testsWith(text: string): readonly string[] {
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join("test", file))
    .filter((file) => readFileSync(join(root, file), "utf8").includes(text));
}
