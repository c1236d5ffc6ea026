/**
 * Measures how a copy reads a hub for the first time, with two daemons of the built svc: the hub with one project, and
 * the empty copy. During the read, another process asks the copy for `ping` every 5 ms and comments on an issue of
 * another project every 100 ms. The same data are then restored from an export of the copy. The exit code says whether
 * the goals are met.
 *
 *   npm run bench -- federation-read [issues]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { Credentials, credentialsPath } from "../src/config/credentials.ts";
import { projectCreated } from "../src/domain/drafts/projects.ts";
import { openStore } from "../src/store/open.ts";
import { bindingTo } from "../test/support/replica.ts";
import { measureBeside } from "./support/beside-row.ts";
import { type Connection, connect } from "./support/connection.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";
import { call, hubHome, restore, svc, tellDoctor } from "./support/federation.ts";
import { Goals } from "./support/goals.ts";
import { endedChildrenSeconds, processorSeconds } from "./support/processor-time.ts";
import { seed } from "./support/seed.ts";

const ISSUES = Number(process.argv[2] ?? 100_000);
/** The goal: a first read has at least this share of the rate of a restore of the same events. */
const SHARE = 0.5;
const PING_MS = 20;
/** How long the copy is measured while it does nothing else. */
const FLOOR_MS = 5000;

const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-read-"));
const goals = new Goals();
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
goals.end();

async function run(): Promise<void> {
  const copyHome = mkdtempSync(path.join(folder, "copy"));
  const { home, url, start } = await hubHome(folder);
  await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES });
  const hub = await start();
  const asked = await connect(hub.socketPath);
  const metadata = await call(asked, "POST", "/projects/1/federation/enable", {});
  const { comments, uid, instance } = await prepareCopy(copyHome, url, metadata, asked);
  const env = { SVC_FEDERATION_PULL_INTERVAL_MS: "500" };
  const copy = await startBenchDaemon({ home: copyHome, env });
  const end = Number(metadata["last_event_id"]);
  const [hubBefore, copyBefore] = [hub.pid, copy.pid].map(processorSeconds);
  const read = await measureBeside(copy, comments, async () => await hasRead(copy, uid, end));
  const events = end - Number(metadata["replay_horizon_event_id"]) + 1;
  console.log(`${events} events of ${ISSUES} issues, instance ${instance}`);
  goals.tell("first read", read.seconds, "s");
  goals.tell("first read, events a second", events / read.seconds, "/s");
  goals.tell("processor of the copy", processorSeconds(copy.pid) - (copyBefore ?? 0), "s");
  goals.tell("processor of the hub", processorSeconds(hub.pid) - (hubBefore ?? 0), "s");
  goals.tell("memory of the copy", read.peakMiB, "MiB");
  goals.tell("ping p50", read.ping.p50, "ms");
  goals.tell("ping at most", read.ping.max, "ms");
  goals.tell("comment p99", read.write.p99, "ms");
  goals.tell("comment at most", read.write.max, "ms");
  goals.tell("comments refused as busy", read.write.busy, "");
  const rest = async () => await new Promise((resolve) => setTimeout(resolve, FLOOR_MS));
  const floor = await measureBeside(copy, comments, rest);
  goals.tell("ping p99 of the copy that does nothing else", floor.ping.p99, "ms");
  goals.tell("ping at most of the copy that does nothing else", floor.ping.max, "ms");
  goals.atMost("ping p99", read.ping.p99, PING_MS, "ms");
  goals.tell("  of an idle daemon meanwhile", read.idle.p99, "ms");
  tellDoctor(copy);
  const file = path.join(folder, "copy.jsonl");
  svc(copy, "export", "--allow-running-daemon", "--output", file);
  asked.close();
  await copy.stop();
  await hub.stop();
  const before = endedChildrenSeconds();
  const restored = restore(folder, file);
  goals.tell("restore of the same", restored, "s");
  goals.tell("processor of the restore", endedChildrenSeconds() - before, "s");
  goals.atMost("first read, as times of the restore", read.seconds / restored, 1 / SHARE, "");
}

/**
 * Makes the copy's database: another project with an issue, and the project of the hub, whose events are not read yet.
 */
async function prepareCopy(
  home: string,
  hub_url: string,
  metadata: Readonly<Record<string, unknown>>,
  asked: Connection,
) {
  const first = await startBenchDaemon({ home });
  const own = await connect(first.socketPath);
  await call(own, "POST", "/projects", { name: "local", actor: "bench" });
  const made = await call(own, "POST", "/projects/1/issues", { title: "here", actor: "bench" });
  own.close();
  await first.stop();
  const uid = String(metadata["project_uid"]);
  const store = await openStore({
    dsn: path.join(home, "svc.db"),
    clock: systemClock,
    ids: systemIds(),
    timezone: "UTC",
  });
  const spoke_instance_uid = store.instanceUid;
  const body = { spoke_instance_uid, project_id: 1, capabilities: "pull", actor: "bench" };
  const { token } = await call(asked, "POST", "/federation/enrollments", body);
  const horizon = Number(metadata["replay_horizon_event_id"]);
  await store.write(async (tx) => {
    await tx.append(projectCreated(uid, "bench", { actor: "bench", now: tx.now }));
    const through = Number(metadata["baseline_through_event_id"]);
    const known = {
      project_id: 1,
      replay_horizon_event_id: horizon,
      baseline_through_event_id: through,
    };
    await tx.unfolded.put("federation_binding", bindingTo(hub_url, uid, known, tx.now));
  });
  await store.close();
  await new Credentials(credentialsPath(home)).store(uid, {
    ...{ hub_url, hub_project_id: 1, token: String(token), capabilities: ["pull"] },
    ...{ actor: "bench", allow_insecure: false, spoke_instance_uid },
  });
  const { issue } = made as { readonly issue: { readonly uid: string } };
  return {
    comments: `/api/v1/projects/1/issues/${issue.uid}/comments`,
    uid,
    instance: spoke_instance_uid,
  };
}

async function hasRead({ socketPath }: BenchDaemon, uid: string, end: number): Promise<void> {
  const connection = await connect(socketPath);
  for (;;) {
    const { statuses } = (await call(connection, "GET", "/federation/status")) as {
      readonly statuses: readonly {
        readonly project_uid: string;
        readonly pull_cursor_event_id: number;
        readonly last_error?: string;
      }[];
    };
    const status = statuses.find(({ project_uid }) => project_uid === uid);
    if (status?.last_error !== undefined) throw new Error(`the pass failed: ${status.last_error}`);
    if ((status?.pull_cursor_event_id ?? 0) >= end) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  connection.close();
}
