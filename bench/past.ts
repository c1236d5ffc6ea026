/**
 * Measures reads of the past with 20,000 issues of three events each: an issue and lists as they were at an earlier
 * event, the delay of `ping` while such a list is read, and an undo of as many changes as one request can undo.
 *
 *   npm run bench -- past [issues] [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { MAX_UNDO_EVENTS } from "../src/contract/limits.ts";
import { openStore } from "../src/store/open.ts";
import { type Connection, connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { median, ms, percentile, timed } from "./support/figures.ts";
import { seed } from "./support/seed.ts";

const ISSUES = Number(process.argv[2] ?? 20_000);
const ROUNDS = Number(process.argv[3] ?? 50);
const PER_WRITE = 250;

const home = mkdtempSync(path.join(tmpdir(), "svc-past-"));
const dsn = path.join(home, "svc.db");
const project = await seed(dsn, { issues: ISSUES, links: ISSUES * 3 });
const half = await editIssues(project);
const daemon = await startBenchDaemon({ home });
const connection = await connect(daemon.socketPath);
const other = await connect(daemon.socketPath);
const before = daemon.residentMiB();

const list = `/api/v1/projects/1/issues?status=open&limit=200`;
const { body } = await get(connection, list);
const { issues } = JSON.parse(body) as { issues: readonly { uid: string }[] };
const ref = issues.at(-1)?.uid ?? "";
console.log(`${ISSUES} issues, ${ISSUES * 3} events`);
await report("show", `/api/v1/projects/1/issues/${ref}`);
await report("show --at", `/api/v1/projects/1/issues/${ref}?at=${half}`);
await withPing("list --at, first", `${list}&at=${half}`);
await report("list --at, again", `${list}&at=${half}`);
await withPing("ready --at, another moment", `/api/v1/projects/1/ready?limit=200&at=${half + 1}`);
console.log(`memory ${before.toFixed(0)} MiB before, ${daemon.residentMiB().toFixed(0)} after`);
await measureUndo();
connection.close();
other.close();
await daemon.stop();
rmSync(home, { recursive: true });

/**
 * Writes two more events for each issue. The last `MAX_UNDO_EVENTS` of all events are by the actor `worker`, whose
 * changes are undone later. Returns the id of the event in the middle of the log.
 */
async function editIssues(project_uid: string): Promise<number> {
  const store = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
  const found = await store.read(async (reader) => await reader.events.after(1, ISSUES));
  const uids = found.map(({ issue_uid = "" }) => issue_uid);
  for (const priority of [1, 2]) {
    for (let at = 0; at < uids.length; at += PER_WRITE) {
      const last = priority === 2 && at + MAX_UNDO_EVENTS >= uids.length;
      const actor = last ? "worker" : "bench";
      await store.write(async (tx) => {
        for (const issue_uid of uids.slice(at, at + PER_WRITE)) {
          const payload = { priority, updated_at: tx.now };
          await tx.append({ type: "issue.priority_set", actor, project_uid, issue_uid, payload });
        }
      });
    }
  }
  const lastId = await store.read(async ({ events }) => await events.lastId());
  await store.close();
  return Math.floor(lastId / 2);
}

async function get(over: Connection, target: string) {
  const answer = await over.send("GET", target);
  if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
  return answer;
}

async function report(name: string, target: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(await timed(async () => await get(connection, target)));
  console.log(
    `  ${name.padEnd(30)} median ${ms(median(times)).padStart(9)}  p99 ${ms(percentile(times, 0.99)).padStart(9)}`,
  );
}

async function withPing(name: string, target: string): Promise<void> {
  let running = true;
  const times: number[] = [];
  const reading = timed(async () => await get(connection, target)).finally(() => (running = false));
  while (running) times.push(await timed(async () => await get(other, "/api/v1/ping")));
  console.log(
    `  ${name.padEnd(30)}        ${ms(await reading).padStart(9)}  ping beside it p99 ${ms(percentile(times, 0.99)).padStart(9)}  max ${ms(Math.max(...times)).padStart(9)}`,
  );
}

async function measureUndo(): Promise<void> {
  const asked = { of_actor: "worker", since: "2020-01-01T00:00:00Z", actor: "bench" };
  const post = async (body: object, headers?: string) =>
    await connection.send("POST", "/api/v1/undo", JSON.stringify(body), headers);
  let plan = "";
  const planned = await timed(async () => (plan = (await post({ ...asked, dry_run: true })).body));
  const { confirm, reverts } = JSON.parse(plan) as { confirm: string; reverts: unknown[] };
  const confirmed = `x-svc-confirm: ${confirm}\r\n`;
  const done = await timed(async () => {
    const answer = await post(asked, confirmed);
    if (answer.status !== 200) throw new Error(answer.body);
  });
  console.log(`  undo of ${reverts.length} changes: plan ${ms(planned)}, done ${ms(done)}`);
}
