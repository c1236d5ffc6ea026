/**
 * Measures snapshots of a daemon with 20,000 issues of three links each: the elapsed time and the daemon's processor
 * time for each, and the delay of `ping` meanwhile. The exit code says whether the goals are met. A snapshot is judged
 * by its processor time, because other work on the machine has little effect on it.
 *
 *   npm run bench -- snapshot [rounds] [issues]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Answer, connect } from "./support/connection.ts";
import { processorMs, startBenchDaemon } from "./support/daemon.ts";
import { median, ms, percentile, timed } from "./support/figures.ts";
import { Goals } from "./support/goals.ts";
import { seed } from "./support/seed.ts";

const ROUNDS = Number(process.argv[2] ?? 200);
const ISSUES = Number(process.argv[3] ?? 20_000);
const SNAPSHOT = "/api/v1/ui/snapshot";
/** The goals, as p99 in milliseconds: for a snapshot with the default limit, and for a ping meanwhile. */
const SNAPSHOT_MS = 30;
const PING_MS = 20;
const DAY = "local_date=2026-03-10&time_zone=Europe%2FBerlin";

const goals = new Goals();
/** One entry for each kind of snapshot: the p99 of its processor time, and the p99 of the pings meanwhile, in ms. */
const snapshots: number[] = [];
const pings: number[] = [];
const home = mkdtempSync(path.join(tmpdir(), "svc-snapshot-"));
const project = await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES * 3 });
const daemon = await startBenchDaemon({ home });
const connection = await connect(daemon.socketPath);
const get = async (target: string, headers = ""): Promise<Answer> => {
  const answer = await connection.send("GET", target, "", headers);
  if (answer.status !== 200 && answer.status !== 304)
    throw new Error(`${target}: ${answer.status} ${answer.body}`);
  return answer;
};
const [issue] = collectionOf(await get(`${SNAPSHOT}?view=all-open&limit=1`));
const uid = issue?.uid ?? "";

console.log(`${ISSUES} issues, ${ISSUES * 3} links, ${ROUNDS} rounds`);
await measure("ping", "/api/v1/ping");
await measure("list 500, the page of the list route", "/api/v1/issues?status=open&limit=500");
await measure("all open", `${SNAPSHOT}?view=all-open`);
await measure("a project", `${SNAPSHOT}?project_uid=${project}`);
await measure("a project, open", `${SNAPSHOT}?project_uid=${project}&status=open`);
await measure("logbook", `${SNAPSHOT}?view=logbook`);
await measure("ready", `${SNAPSHOT}?view=all-open&status=ready`);
await measure("an owner", `${SNAPSHOT}?view=all-open&owner=ann`);
await measure("a label", `${SNAPSHOT}?view=all-open&label=rare`);
await measure("today, no dates", `${SNAPSHOT}?view=today&${DAY}`);
await measure("blocked by something", `${SNAPSHOT}?view=all-open&relationship=blocked_by`);
await measure("a common text", `${SNAPSHOT}?view=all-open&text=common`);
await measure("with the selected issue", `${SNAPSHOT}?view=all-open&selected_issue_uid=${uid}`);
await measure("the inbox, with none", SNAPSHOT);
await measure("not changed (304)", `${SNAPSHOT}?view=all-open`, "if-none-match: *\r\n");
await measure("references", "/api/v1/ui/references");
await measure("references, a text", "/api/v1/ui/references?q=w64");
const slowest = Math.max(...snapshots);
console.log("in the read worker");
await measure("1,000 issues", `${SNAPSHOT}?view=all-open&limit=1000`);
await measure("a text of no issue", `${SNAPSHOT}?view=all-open&text=nowhere`);
await measure("the graph of the list", `${SNAPSHOT}?view=all-open&include_graph=true`);
await pingDuring("all open", `${SNAPSHOT}?view=all-open`);
await pingDuring("a text of no issue", `${SNAPSHOT}?view=all-open&text=nowhere`);
await pingDuring("the graph of the list", `${SNAPSHOT}?view=all-open&include_graph=true`);
connection.close();
await daemon.stop();
rmSync(home, { recursive: true });
goals.atMost("slowest snapshot, processor time, p99", slowest, SNAPSHOT_MS, "ms");
goals.atMost("slowest ping beside a snapshot, p99", Math.max(...pings), PING_MS, "ms");
goals.end();

function collectionOf({ body }: Answer): readonly { readonly uid: string }[] {
  return (JSON.parse(body) as { collection: { uid: string }[] }).collection;
}

/** Prints the elapsed time of a request and the processor time of all threads of the daemon. */
async function measure(name: string, target: string, headers = ""): Promise<void> {
  const [wall, processor]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let round = 0; round < ROUNDS + 10; round += 1) {
    const before = processorMs(daemon.pid);
    const took = await timed(async () => (bytes = (await get(target, headers)).body.length));
    if (round < 10) continue;
    wall.push(took);
    processor.push(processorMs(daemon.pid) - before);
  }
  if (target.startsWith(SNAPSHOT)) snapshots.push(percentile(processor, 0.99));
  const figures = [wall, processor].map(
    (times) => `${ms(median(times)).padStart(9)}  p99 ${ms(percentile(times, 0.99)).padStart(9)}`,
  );
  const size = `${(bytes / 1024).toFixed(0)} KiB`.padStart(9);
  console.log(`  ${name.padEnd(38)} ${figures.join("   processor ")} ${size}`);
}

/** Prints how long `ping` takes on another connection while one snapshot after the other is read. */
async function pingDuring(name: string, target: string): Promise<void> {
  const other = await connect(daemon.socketPath);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS / 4; round += 1) {
    let running = true;
    const reading = get(target).finally(() => (running = false));
    while (running) times.push(await timed(async () => await other.send("GET", "/api/v1/ping")));
    await reading;
  }
  other.close();
  pings.push(percentile(times, 0.99));
  console.log(
    `  ping during ${name}: median ${ms(median(times))}  p99 ${ms(percentile(times, 0.99))}`,
  );
}
