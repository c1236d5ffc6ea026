/**
 * Plays a week of a hub and its spokes, one of which has no network for six days. The hub is a daemon in a process of
 * its own, and the spokes run in a few processes, as in `federation-spokes`. All clocks are moved ahead by some hours
 * at a time. Once a day each spoke writes. After every step, the status of each spoke and of the hub, and the health of
 * the hub, must be true: a spoke that the hub has refused as busy says so until its next pass. In the end all spokes
 * must have the same rows.
 *
 *   npm run bench -- federation-week [spokes] [issues]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { connect } from "./support/connection.ts";
import { call, hubHome } from "./support/federation.ts";
import { Goals } from "./support/goals.ts";
import { connectionsOf, openConnections } from "./support/open-connections.ts";
import { seed } from "./support/seed.ts";
import { type SpokeStatus, startSpokes } from "./support/spokes.ts";

const SPOKES = Number(process.argv[2] ?? 100);
const ISSUES = Number(process.argv[3] ?? 100);
const [STEP_HOURS, DAY, WEEK] = [6, 24, 7 * 24];
/** The hours in which the first spoke has no network. */
const [AWAY, BACK] = [12, 12 + 6 * 24];
const PROCESSES = 4;

const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-week-"));
const goals = new Goals();
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
goals.end();

interface Passed {
  readonly outcome?: string;
  readonly code?: string;
}

async function run(): Promise<void> {
  const at = await hubHome(folder);
  const projectUid = await seed(path.join(at.home, "svc.db"), { issues: ISSUES, links: 0 });
  const env = { ...process.env, SVC_HOME: at.home, XDG_RUNTIME_DIR: at.home };
  const socketPath = path.join(at.home, "hub.sock");
  const words = [socketPath, new URL(at.url).host];
  const hub = fork(path.join(import.meta.dirname, "support/clocked-daemon-process.ts"), words, {
    env,
  });
  await once(hub, "message");
  const pid = hub.pid ?? 0;
  const asked = await connect(socketPath);
  const enabled = await call(asked, "POST", "/projects/1/federation/enable", { actor: "bench" });
  const known = {
    project_id: 1,
    replay_horizon_event_id: Number(enabled["replay_horizon_event_id"]),
    baseline_through_event_id: Number(enabled["baseline_through_event_id"]),
  };
  const place = { socketPath, hubUrl: at.url, projectUid, folder, known };
  const spokes = await startSpokes(place, { spokes: SPOKES, processes: PROCESSES });
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(`${SPOKES} spokes, ${ISSUES} issues, load ${load.join(" ")}`);
  const begun = performance.now();
  const connections = openConnections(pid);
  let [looks, busy] = [0, 0];
  const wrong: string[] = [];
  for (let hour = 0; hour <= WEEK; hour += STEP_HOURS) {
    const isAway = hour >= AWAY && hour < BACK;
    await spokes.all({ do: "offline", spoke: isAway ? 0 : -1 });
    if (hour % DAY === 0) await spokes.all({ do: "write", changes: 1 });
    const end = hour === WEEK ? 5 : 1;
    let passed: readonly Passed[] = [];
    for (let passes = 0; passes < end; passes += 1) passed = await spokes.all({ do: "pull" });
    busy += passed.filter(({ code }) => code === "busy").length;
    const health = await call(asked, "GET", "/health");
    const { statuses } = (await call(asked, "GET", "/federation/status")) as {
      readonly statuses: readonly { enabled: boolean; last_error?: string }[];
    };
    looks += 1;
    const [status] = statuses;
    if (health["ok"] !== true) wrong.push(`hour ${hour}: the health of the hub`);
    if (status?.enabled !== true || status.last_error !== undefined)
      wrong.push(`hour ${hour}: the status of the hub, ${JSON.stringify(status)}`);
    for (const [number, found] of (await spokes.all<SpokeStatus>({ do: "status" })).entries()) {
      const isOff = isAway && number === 0;
      const { outcome, code } = passed[number] ?? {};
      const isTrue = isOff
        ? found.error === "hub_unavailable"
        : outcome === "current"
          ? found.error === null && found.isSent
          : found.error === "busy" && code === "busy";
      if (!found.enabled || !isTrue)
        wrong.push(`hour ${hour}: spoke ${number}, ${outcome}, ${JSON.stringify(found)}`);
    }
    await spokes.all({ do: "shift", ms: STEP_HOURS * 3_600_000 });
    hub.send(STEP_HOURS * 3_600_000);
    await once(hub, "message");
  }
  const hashes = new Set(await spokes.all<string>({ do: "hash" }));
  goals.tell("time", (performance.now() - begun) / 1000, "s");
  goals.tell("memory of the hub, at most", peakMiB(pid), "MiB");
  goals.tell("connections of spokes, at most", connections.end(), "");
  goals.tell("connections of spokes afterwards", connectionsOf(pid), "");
  goals.tell("passes that the hub refused as busy", busy, "");
  goals.atMost(`statuses that are not true, of ${looks} looks`, wrong.length, 0, "");
  goals.atMost("different states of the spokes", hashes.size, 1, "");
  for (const line of wrong.slice(0, 10)) console.log(line);
  asked.close();
  spokes.close();
  hub.kill("SIGTERM");
  await once(hub, "exit");
}

function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
