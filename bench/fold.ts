/**
 * Runs random operations over three projects by eight actors, on both databases. After every thousand operations it
 * compares the tables with the fold of the event log. It also compares the lists of ready issues and the answers of
 * `svc why` with the results of `src/domain/readiness.ts`. Each seed of the random generator gives another series of
 * operations. The tests do the same with 250 operations for each seed.
 *
 *   npm run bench -- fold [operations] [seeds]
 */
import { spawnSync } from "node:child_process";
import path from "node:path";

const [operations = "10000", seeds = "20"] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "..");
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
const run = spawnSync(process.execPath, [vitest, "run", "test/ops/fold.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, SVC_FOLD_OPERATIONS: operations, SVC_FOLD_SEEDS: seeds },
});
process.exitCode = run.status ?? 1;
