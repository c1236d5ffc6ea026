/**
 * Kills the daemon with kill -9 while 32 clients write, again and again. Afterwards every acknowledged write must be in
 * the database with its event, and `svc doctor` must find nothing wrong. A new home every 25 rounds keeps each check
 * short.
 *
 *   npm run bench -- kill [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { killRound, type Round } from "../test/support/kill-rounds.ts";
import { percentile } from "./support/figures.ts";

const ROUNDS = Number(process.argv[2] ?? 200);
const PER_HOME = 25;

const rounds: Round[] = [];
let folder = "";
for (let number = 0; number < ROUNDS; number++) {
  if (number % PER_HOME === 0) {
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
    folder = mkdtempSync(path.join(tmpdir(), "svc-kill-"));
  }
  const round = await killRound(folder, 1 + ((number * 37) % 150));
  rounds.push(round);
  const { ended, lost, faults } = round;
  if (ended !== "SIGKILL" || lost.length > 0 || faults.length > 0) {
    console.log(
      `round ${number + 1}: ${JSON.stringify({ ended, lost, faults })} (kept in ${folder})`,
    );
    process.exit(1);
  }
}
rmSync(folder, { recursive: true, force: true });

const acknowledged = rounds.reduce((sum, round) => sum + round.acknowledged, 0);
const starts = rounds.map(({ startMs }) => startMs);
console.log(`${rounds.length} rounds, ${acknowledged} acknowledged writes, none lost, no faults`);
console.log(
  `start over the remains: p50 ${percentile(starts, 0.5).toFixed(0)} ms, p99 ${percentile(starts, 0.99).toFixed(0)} ms`,
);
