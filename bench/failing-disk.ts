/**
 * Makes each sync and each write of each operation fail, one at a time, and compares what the daemon answers with what
 * is in the database after a kill and a recovery: made, refused, or either where the outcome is unknown. Needs Linux and
 * `cc`. The tests do the same with 20 points.
 *
 *   npm run bench -- failing-disk [points]
 */
import { spawnSync } from "node:child_process";
import path from "node:path";

const [points = "all"] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "..");
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
const run = spawnSync(process.execPath, [vitest, "run", "test/e2e/failing-disk.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, SVC_DISK_POINTS: points },
});
process.exitCode = run.status ?? 1;
