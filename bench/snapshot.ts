/**
 * Measures snapshots of a daemon with 20,000 issues of three links each. Prints the elapsed time and the daemon's
 * processor time for each kind of request, and the delay of `ping` during such requests. The exit code says whether the
 * goals are met. The goal for snapshots is about all of them together. The kinds take turns, so that a collection of
 * the whole heap does not always count against the same kind.
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
/** Rounds before the measurement, in which V8 compiles what is asked for often. */
const WARM_UP = 30;
/** The goal for a snapshot with the default limit, as p99 in milliseconds. */
const SNAPSHOT_MS = 30;
/** The goal for a ping while snapshots are read, as p99 in milliseconds. */
const PING_MS = 20;
const DAY = "local_date=2026-03-10&time_zone=Europe%2FBerlin";

/** A kind of request that is measured. */
interface Kind {
  readonly name: string;
  readonly target: string;
  readonly headers: string;
}

const goals = new Goals();
/** For each kind of request: the p99, in milliseconds, of the pings that were sent during such requests. */
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
await measure([
  requestKind("ping", "/api/v1/ping"),
  requestKind("list 500, the page of the list route", "/api/v1/issues?status=open&limit=500"),
]);
console.log("500 issues");
const snapshots = await measure([
  requestKind("all open", `${SNAPSHOT}?view=all-open`),
  requestKind("a project", `${SNAPSHOT}?project_uid=${project}`),
  requestKind("a project, open", `${SNAPSHOT}?project_uid=${project}&status=open`),
  requestKind("logbook", `${SNAPSHOT}?view=logbook`),
  requestKind("ready", `${SNAPSHOT}?view=all-open&status=ready`),
  requestKind("an owner", `${SNAPSHOT}?view=all-open&owner=ann`),
  requestKind("blocked by something", `${SNAPSHOT}?view=all-open&relationship=blocked_by`),
  requestKind("a common text", `${SNAPSHOT}?view=all-open&text=common`),
  requestKind("with the selected issue", `${SNAPSHOT}?view=all-open&selected_issue_uid=${uid}`),
]);
console.log("few or no issues");
await measure([
  requestKind("a label", `${SNAPSHOT}?view=all-open&label=rare`),
  requestKind("today, no dates", `${SNAPSHOT}?view=today&${DAY}`),
  requestKind("the inbox, with none", SNAPSHOT),
  requestKind("not changed (304)", `${SNAPSHOT}?view=all-open`, "if-none-match: *\r\n"),
  requestKind("references", "/api/v1/ui/references"),
  requestKind("references, a text", "/api/v1/ui/references?q=w64"),
]);
console.log("in the read worker");
await measure([
  requestKind("1,000 issues", `${SNAPSHOT}?view=all-open&limit=1000`),
  requestKind("a text of no issue", `${SNAPSHOT}?view=all-open&text=nowhere`),
  requestKind("the graph of the list", `${SNAPSHOT}?view=all-open&include_graph=true`),
]);
await pingDuring("all open", `${SNAPSHOT}?view=all-open`);
await pingDuring("a text of no issue", `${SNAPSHOT}?view=all-open&text=nowhere`);
await pingDuring("the graph of the list", `${SNAPSHOT}?view=all-open&include_graph=true`);
connection.close();
await daemon.stop();
rmSync(home, { recursive: true });
goals.atMost(
  "snapshot of 500 issues, elapsed, p99",
  percentile(snapshots, 0.99),
  SNAPSHOT_MS,
  "ms",
);
goals.atMost("slowest ping beside a snapshot, p99", Math.max(...pings), PING_MS, "ms");
goals.end();

function collectionOf({ body }: Answer): readonly { readonly uid: string }[] {
  return (JSON.parse(body) as { collection: { uid: string }[] }).collection;
}

function requestKind(name: string, target: string, headers = ""): Kind {
  return { name, target, headers };
}

/**
 * Prints for each kind the elapsed time and the processor time of all threads of the daemon. Returns the elapsed times
 * of all requests in milliseconds.
 */
async function measure(kinds: readonly Kind[]): Promise<readonly number[]> {
  const samples = kinds.map((one) => ({
    ...one,
    wall: [] as number[],
    processor: [] as number[],
    bytes: 0,
  }));
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1)
    for (const sample of samples) {
      const before = processorMs(daemon.pid);
      const took = await timed(
        async () => (sample.bytes = (await get(sample.target, sample.headers)).body.length),
      );
      if (round < WARM_UP) continue;
      sample.wall.push(took);
      sample.processor.push(processorMs(daemon.pid) - before);
    }
  for (const { name, wall, processor, bytes } of samples) {
    const figures = [wall, processor].map(
      (times) => `${ms(median(times)).padStart(9)}  p99 ${ms(percentile(times, 0.99)).padStart(9)}`,
    );
    const size = `${(bytes / 1024).toFixed(0)} KiB`.padStart(9);
    console.log(`  ${name.padEnd(38)} ${figures.join("   processor ")} ${size}`);
  }
  return samples.flatMap(({ wall }) => wall);
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
