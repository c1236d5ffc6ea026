/**
 * Measures how long a daemon with 20,000 issues and 100,000 runs takes for the report of runs, for each grouping.
 *
 *   npm run bench -- runs [rounds] [runs]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { msToInstant, systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { openStore } from "../src/store/open.ts";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { median, ms, percentile, timed } from "./support/figures.ts";
import { seed } from "./support/seed.ts";

const ROUNDS = Number(process.argv[2] ?? 30);
const RUNS = Number(process.argv[3] ?? 100_000);
const ISSUES = 20_000;
const PER_WRITE = 500;
const JOBS = 50;
const ACTORS = 20;
const DAY_MS = 86_400_000;
const BEGIN_MS = Date.UTC(2026, 0, 1);

const home = mkdtempSync(path.join(tmpdir(), "svc-runs-"));
const dsn = path.join(home, "svc.db");
const project = await seed(dsn, { issues: ISSUES, links: ISSUES });
await seedRuns();
const daemon = await startBenchDaemon({ home });
const connection = await connect(daemon.socketPath);
const GROUPINGS = [
  ...["issue", "parent", "job", "actor", "day"],
  ...["workflow", "teammate", "executor"],
];
for (const by of GROUPINGS) {
  const target = `/api/v1/projects/1/cron/runs/report?by=${by}`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    const took = await timed(async () => {
      const answer = await connection.send("GET", target);
      if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
    });
    if (round >= 3) times.push(took);
  }
  const [half, most] = [ms(median(times)), ms(percentile(times, 0.99))];
  console.log(`  report by ${by.padEnd(8)} median ${half.padStart(9)}  p99 ${most.padStart(9)}`);
}
connection.close();
await daemon.stop();
rmSync(home, { recursive: true });

async function seedRuns(): Promise<void> {
  const ids = systemIds();
  const store = await openStore({ dsn, clock: systemClock, ids, timezone: "UTC" });
  const jobs = Array.from({ length: JOBS }, () => ids.ulid());
  const events = await store.read(async (reader) => await reader.events.after(0, ISSUES + 10));
  const issues = events.flatMap(({ issue_uid }) => issue_uid ?? []);
  for (let start = 0; start < RUNS; start += PER_WRITE) {
    await store.write(async (tx) => {
      for (let n = start; n < Math.min(start + PER_WRITE, RUNS); n += 1) {
        const began = BEGIN_MS + Math.floor((n * 300) / RUNS) * DAY_MS;
        await tx.append({
          type: "cron.run.observed",
          actor: `agent-${n % ACTORS}`,
          project_uid: project,
          payload: {
            uid: ids.ulid(),
            project_uid: project,
            job_uid: jobs[n % JOBS] ?? "",
            definition_event_uid: jobs[n % JOBS] ?? "",
            issue_uid: issues[n % issues.length] ?? "",
            actor: `agent-${n % ACTORS}`,
            ...(n % 3 === 0
              ? {
                  workflow_uid: jobs[n % 7] ?? "",
                  workflow_definition_event_uid: jobs[n % 7] ?? "",
                }
              : {}),
            ...(n % 2 === 0 ? { teammate: `team-${n % 10}` } : {}),
            ...(n % 4 === 0 ? { executor_label: `executor-${n % 8}` } : {}),
            status: n % 7 === 0 ? "failed" : "succeeded",
            summary: { version: 1, input_tokens: n % 1000, output_tokens: n % 100 },
            revision: 1,
            created_at: msToInstant(began),
            started_at: msToInstant(began),
            ended_at: msToInstant(began + 60_000),
            updated_at: msToInstant(began),
          },
        });
      }
    });
  }
  await store.close();
}
