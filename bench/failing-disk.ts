/**
 * Makes each sync and each write to the disk fail in turn, during each kind of operation, and kills the daemon. After a
 * recovery it compares the database with the daemon's answer: an operation that succeeded must be in the database, and
 * one that was refused must not. If the answer said that the outcome is unknown, both are right. Needs Linux and `cc`.
 * The tests do the same with 20 points of failure.
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
