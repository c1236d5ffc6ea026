/**
 * Measures how much the daemon's own work delays requests. First the planning dates of all issues come due at once, and
 * an engine writes a request to the owner of each issue. With `--leases`, as many leases then expire at once. Meanwhile
 * another connection sends `ping` every 2 ms.
 *
 *   npm run bench -- engine-writes [issues] [--tree <folder of another built svc>] [--leases <count>]
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { ms, percentile } from "./support/figures.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { tree: { type: "string" }, leases: { type: "string" } },
});
const ISSUES = Number(positionals[0] ?? 1000);
const LEASES = Number(flags.leases ?? 0);
const TREE = path.resolve(flags.tree ?? path.join(import.meta.dirname, ".."));
const LEASE_SECONDS = 60;

const daemon = await startBenchDaemon({ svc: path.join(TREE, "bin/svc") });
const asking = await connect(daemon.socketPath);

async function send(method: string, target: string, body?: object): Promise<string> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const answer = await asking.send(method, `/api/v1${target}`, text);
  if (answer.status >= 400) throw new Error(`${method} ${target}: ${answer.body.slice(0, 300)}`);
  return answer.body;
}

async function lastEvent(): Promise<number> {
  const { last_event_id } = JSON.parse(await send("GET", "/instance")) as { last_event_id: number };
  return last_event_id;
}

interface Pings {
  /** When each ping was sent, and how long its answer took, in ms. */
  readonly sent: readonly (readonly [at: number, took: number])[];
  stop(): Promise<void>;
}

async function startPings(): Promise<Pings> {
  const connection = await connect(daemon.socketPath);
  const sent: (readonly [number, number])[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const at = performance.now();
      await connection.send("GET", "/api/v1/ping");
      sent.push([at, performance.now() - at]);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  return {
    sent,
    stop: async () => {
      isOver = true;
      await running;
      connection.close();
    },
  };
}

/**
 * Sends pings until the daemon has written `events` events by itself. Counts the pings from shortly before the first of
 * these events.
 */
async function measure(name: string, events: number): Promise<void> {
  const before = await lastEvent();
  const pinging = await startPings();
  let begun = 0;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const written = (await lastEvent()) - before;
    if (written > 0 && begun === 0) begun = performance.now() - 300;
    if (written >= events) break;
  }
  const ended = performance.now();
  await pinging.stop();
  show(name, pinging, begun, ended);
}

/**
 * Measures pings while the daemon has nothing else to do. Their delay comes from the machine and its other programs.
 */
async function measureNothing(): Promise<void> {
  const pinging = await startPings();
  const begun = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const ended = performance.now();
  await pinging.stop();
  show("nothing", pinging, begun, ended);
}

function show(name: string, pinging: Pings, begun: number, ended: number): void {
  const during = pinging.sent.filter(([at]) => at >= begun).map(([, took]) => took);
  const cells = [
    name,
    ((ended - begun) / 1000).toFixed(1),
    ms(percentile(during, 0.5)),
    ms(percentile(during, 0.99)),
    ms(Math.max(...during)),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

console.log(
  `${TREE}\n\n| Engine | took, s | ping p50 | p99 | max |\n| --- | --- | --- | --- | --- |`,
);
await measureNothing();
await send("POST", "/projects", { name: "dates", actor: "ann" });
const then = "2025-06-01T10:00:00Z";
for (let at = 0; at < ISSUES; at += 500) {
  const items = Array.from({ length: Math.min(500, ISSUES - at) }, (_, one) => ({
    external_id: `e${at + one}`,
    title: `issue ${at + one}`,
    author: "ann",
    status: "open",
    ...{ created_at: then, updated_at: then },
    // All issues have been created before this instant, so all dates come due together.
    metadata: { scheduled_on: new Date(Date.now() + 8000).toISOString() },
  }));
  await send("POST", "/projects/1/imports", { source: "bench", actor: "ann", items });
}
await measure(`dates of ${ISSUES} issues`, ISSUES);
if (LEASES > 0) {
  const body = { actor: "ann", claim_kind: "timed", ttl_seconds: LEASE_SECONDS };
  for (let at = 0; at < LEASES; at += 1) {
    const made = await send("POST", "/projects/1/issues", {
      title: `leased ${at}`,
      actor: "ann",
      force_new: true,
    });
    const { issue } = JSON.parse(made) as { issue: { uid: string } };
    await send("POST", `/projects/1/issues/${issue.uid}/lease/actions/acquire`, body);
  }
  await measure(`ends of ${LEASES} leases`, LEASES);
}
asking.close();
await daemon.stop();
