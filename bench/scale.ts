/**
 * Measures a running daemon with 2,000, 20,000 and 100,000 issues of three links each:
 * - reads and changes over one kept-alive connection
 * - the delay of `ping` while the graph of all issues, the critical path and an export are computed
 * - the memory of the idle daemon
 *
 *   npm run bench -- scale [rounds]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Connection, connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { median, ms, percentile, timed } from "./support/figures.ts";
import { seed } from "./support/seed.ts";

const ROUNDS = Number(process.argv[2] ?? 300);
const SIZES = [2_000, 20_000, 100_000] as const;
const SVC = path.resolve(import.meta.dirname, "../bin/svc");

const medians = new Map<string, number[]>();
for (const issues of SIZES) {
  const home = mkdtempSync(path.join(tmpdir(), "svc-scale-"));
  const seeding = await timed(
    async () => await seed(path.join(home, "svc.db"), { issues, links: issues * 3 }),
  );
  const daemon = await startBenchDaemon({ home });
  const connection = await connect(daemon.socketPath);
  console.log(
    `\n${issues} issues, ${issues * 3} links (seeded in ${(seeding / 1000).toFixed(1)} s)`,
  );
  const ref = await sampleRef(connection);
  for (const [name, target] of readRequests(ref))
    printTimes(name, await timesOf(connection, target, ROUNDS));
  for (const [name, times] of await timesOfChanges(connection, ROUNDS)) printTimes(name, times);
  await pingDuring(connection, daemon.env, "the graph of all issues", [
    "graph",
    ref,
    "--json",
    "--project",
    "bench",
  ]);
  await pingDuring(connection, daemon.env, "the critical path", [
    "graph",
    "--critical-path",
    "--json",
    "--project",
    "bench",
  ]);
  const output = path.join(home, "export.jsonl");
  const exporting = ["export", "--allow-running-daemon", "--output", output];
  await pingDuring(connection, daemon.env, "an export", exporting);
  connection.close();
  await daemon.stop();
  rmSync(home, { recursive: true });
}
console.log("\nmedian at 100,000 / at 20,000 / at 2,000");
for (const [name, [small = 0, middle = 0, large = 0]] of medians) {
  console.log(
    `  ${name.padEnd(34)} 100k/20k ${(large / middle).toFixed(2)}x   20k/2k ${(middle / small).toFixed(2)}x`,
  );
}
await idleMemory();

function printTimes(name: string, times: readonly number[]): void {
  console.log(
    `  ${name.padEnd(34)} median ${ms(median(times)).padStart(9)}  p99 ${ms(percentile(times, 0.99)).padStart(9)}`,
  );
  medians.set(name, [...(medians.get(name) ?? []), median(times)]);
}

function readRequests(ref: string): readonly (readonly [string, string])[] {
  const project = "/api/v1/projects/1";
  return [
    ["ping", "/api/v1/ping"],
    ["list 200 (the default)", `${project}/issues?status=open&limit=200`],
    ["list 50", `${project}/issues?status=open&limit=50`],
    ["list 50, a label of forty issues", `${project}/issues?limit=50&label=forty`],
    ["list 50, an owner", `${project}/issues?status=open&limit=50&owner=ann`],
    ["ready 50", `${project}/ready?limit=50`],
    ["show", `${project}/issues/${ref}`],
    ["why", `${project}/issues/${ref}/why`],
    ["graph, 1 link away", `${project}/issues/${ref}/graph?depth=1`],
    ["graph, 2 links away", `${project}/issues/${ref}/graph?depth=2`],
    ["search, a rare word", `${project}/search?q=w64r7`],
    ["search, a word of every issue", `${project}/search?q=common`],
    ["events, a page of 100", `/api/v1/events?after_id=500&limit=100`],
  ];
}

async function sampleRef(connection: Connection): Promise<string> {
  const answer = await connection.send("GET", "/api/v1/projects/1/issues?status=open&limit=40");
  const issues = (JSON.parse(answer.body) as { issues: { uid: string }[] }).issues;
  return issues.at(-1)?.uid ?? "";
}

async function timesOf(connection: Connection, target: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds + 10; round += 1) {
    const took = await timed(async () => {
      const answer = await connection.send("GET", target);
      if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
    });
    if (round >= 10) times.push(took);
  }
  return times;
}

/**
 * Each round creates, claims and closes an issue. It then takes one ready issue without an idempotency key and one with
 * a key, and repeats the last request with the same key.
 */
async function timesOfChanges(
  connection: Connection,
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const project = "/api/v1/projects/1";
  const times = new Map<string, number[]>();
  const timedPost = async (
    name: string,
    target: string,
    body: object,
    key = "",
  ): Promise<string> => {
    let text = "";
    const header = key === "" ? "" : `idempotency-key: ${key}\r\n`;
    const sent = ["POST", `${project}/${target}`, JSON.stringify(body), header] as const;
    const took = await timed(async () => {
      const answer = await connection.send(...sent);
      if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
      text = answer.body;
    });
    times.set(name, [...(times.get(name) ?? []), took]);
    return text;
  };
  for (let round = 0; round < rounds; round += 1) {
    // The title is like other titles, so the check for similar issues compares them. The body is like no other body.
    const body = Array.from({ length: 40 }, (_, at) => `x${round}y${at}`).join(" ");
    const issue = { title: `w64r7 ${round} common`, body, actor: "bench" };
    const made = await timedPost("create", "issues", { ...issue, labels: ["bug"] });
    const { uid } = (JSON.parse(made) as { issue: { uid: string } }).issue;
    await timedPost("claim", `issues/${uid}/actions/claim`, { actor: "bench" });
    await timedPost("close", `issues/${uid}/actions/close`, { actor: "bench", source: "tui" });
    await timedPost("take", "ready/actions/take", { actor: "bench" });
    const keyed = ["ready/actions/take", { actor: "bench" }, `worker-1/${round}`] as const;
    await timedPost("take under a key", ...keyed);
    await timedPost("take sent again under its key", ...keyed);
  }
  return times;
}

async function pingDuring(
  connection: Connection,
  env: NodeJS.ProcessEnv,
  name: string,
  words: readonly string[],
): Promise<void> {
  const patient = { ...env, SVC_HTTP_TIMEOUT: "120s" };
  const child = spawn(SVC, words, { env: patient, stdio: ["ignore", "ignore", "inherit"] });
  let running = true;
  const ended = new Promise<void>((resolve) =>
    child.once("exit", () => {
      running = false;
      resolve();
    }),
  );
  const times: number[] = [];
  const start = performance.now();
  while (running) {
    times.push(await timed(async () => await connection.send("GET", "/api/v1/ping")));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await ended;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `  ping during ${name} (${seconds} s): median ${ms(median(times))}  p99 ${ms(percentile(times, 0.99))}`,
  );
}

async function idleMemory(): Promise<void> {
  const daemon = await startBenchDaemon();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  console.log(`\nidle daemon, empty database: ${daemon.residentMiB().toFixed(0)} MiB resident`);
  await daemon.stop();
}
