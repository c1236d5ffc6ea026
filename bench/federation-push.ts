/**
 * Measures a copy that is written to, with two daemons of the built svc: a hub, and a copy that sends its changes.
 * First it compares a write in the copy with the same write in a project that belongs to no hub. Then the hub is
 * stopped, issues are written on the copy, and the hub is started again. It measures how fast the hub gets these
 * issues, while other processes ask both daemons for `ping` every 5 ms and comment on an issue of another project every
 * 100 ms. Last, the hub's export is imported into an empty home. With `--adopt`, the issues are in a project that the
 * copy has had before it joins and that the hub adopts; the first part is left out. The exit code says whether the
 * goals are met.
 *
 *   npm run bench -- federation-push [issues] [--adopt]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Beside, measureBeside } from "./support/beside-row.ts";
import { type Connection, connect } from "./support/connection.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";
import { call, commentsOf, hubHome, restore, svc, tellDoctor } from "./support/federation.ts";
import { median } from "./support/figures.ts";
import { Goals } from "./support/goals.ts";
import { processorSeconds } from "./support/processor-time.ts";
import { seed } from "./support/seed.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { adopt: { type: "boolean", default: false } },
});
const ISSUES = Number(positionals[0] ?? 20_000);

/** The goal: the hub gets events at least at this share of the rate at which an import reads them. */
const SHARE = 0.5;
/** The goal: a write on a copy takes at most this many times as long as a write in another project. */
const WRITE = 1.05;
const PING_MS = 20;
/** How many issues are created in a row in one project, and how many such rows each project gets. */
const [IN_A_ROW, ROUNDS] = [25, 60];
const CONNECTIONS = 4;
const ENV = { SVC_FEDERATION_PULL_INTERVAL_MS: "500" };

const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-push-"));
const goals = new Goals();
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
goals.end();

async function run(): Promise<void> {
  const { url, start } = await hubHome(folder);
  const first = await start();
  const atHub = await connect(first.socketPath);
  await call(atHub, "POST", "/projects", { name: "shared", actor: "bench" });
  const hubComments = await commentsOf(atHub, "other");
  const metadata = await call(atHub, "POST", "/projects/1/federation/enable", {});

  const copyHome = mkdtempSync(path.join(folder, "copy"));
  if (flags.adopt) await seed(path.join(copyHome, "svc.db"), { issues: ISSUES, links: ISSUES });
  const copy = await startBenchDaemon({ home: copyHome, env: ENV });
  const atCopy = await connect(copy.socketPath);
  const comments = await commentsOf(atCopy, "other");
  const join = await joinOf(atHub, atCopy, url, metadata);
  if (!flags.adopt) {
    await join();
    await drained(atCopy);
    await compareWrites(copy, atCopy);
    await drained(atCopy);
  }
  atHub.close();
  await first.stop();
  if (!flags.adopt) await create(copy, await projectId(atCopy, "shared"), ISSUES);

  const hub = await start();
  const beside = {
    hub: { daemon: hub, comments: hubComments },
    copy: { daemon: copy, comments },
  };
  const begun = [hub.pid, copy.pid].map(processorSeconds);
  const measured = await measureBoth(beside, async () => {
    if (flags.adopt) await join();
    await drained(atCopy);
  });
  goals.tell(flags.adopt ? "adoption" : "the hub gets them", measured.copy.seconds, "s");
  goals.tell("issues a second", ISSUES / measured.copy.seconds, "/s");
  for (const [at, name] of (["hub", "copy"] as const).entries()) {
    const { daemon } = beside[name];
    goals.tell(`processor of the ${name}`, processorSeconds(daemon.pid) - (begun[at] ?? 0), "s");
    tell(name, measured[name]);
  }
  for (const name of ["hub", "copy"] as const) {
    goals.atMost(`ping p99 of the ${name}`, measured[name].ping.p99, PING_MS, "ms");
    goals.tell("  of an idle daemon meanwhile", measured[name].idle.p99, "ms");
  }
  for (const daemon of [hub, copy]) tellDoctor(daemon);
  const file = path.join(folder, "hub.jsonl");
  svc(hub, "export", "--allow-running-daemon", "--output", file);
  atCopy.close();
  await Promise.all([hub.stop(), copy.stop()]);
  const imported = restore(folder, file);
  goals.tell("import of the hub's export", imported, "s");
  goals.atMost("as times of the import", measured.copy.seconds / imported, 1 / SHARE, "");
}

function tell(name: string, { ping, write, peakMiB }: Beside): void {
  goals.tell(`memory of the ${name}`, peakMiB, "MiB");
  goals.tell(`ping p50 of the ${name}`, ping.p50, "ms");
  goals.tell(`ping of the ${name} at most`, ping.max, "ms");
  goals.tell(`comment on the ${name}, p99`, write.p99, "ms");
  goals.tell(`comment on the ${name} at most`, write.max, "ms");
  goals.tell(`comments refused as busy by the ${name}`, write.busy, "");
}

/** Enrolls the copy. Returns the function that joins it to the hub. */
async function joinOf(
  atHub: Connection,
  atCopy: Connection,
  hub_url: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<() => Promise<void>> {
  const { instance_uid } = await call(atCopy, "GET", "/instance");
  const capabilities = ["pull", "push", "claim"];
  const adoption = flags.adopt ? { allow_adoption_snapshot_authors: true } : {};
  const { token } = await call(atHub, "POST", "/federation/enrollments", {
    ...{ spoke_instance_uid: instance_uid, project_id: 1, capabilities, actor: "sam" },
    ...adoption,
  });
  const [seeded] = (await projectsOf(atCopy)).filter(({ name }) => name !== "other");
  const body = {
    ...{ hub_url, hub_project_id: 1, hub_project_uid: metadata["project_uid"] },
    project_name: flags.adopt ? seeded?.name : "shared",
    replay_horizon_event_id: metadata["replay_horizon_event_id"],
    baseline_through_event_id: metadata["baseline_through_event_id"],
    ...{ token, capabilities, actor: "sam", push_enabled: true },
    ...(flags.adopt ? { adopt_existing: true } : {}),
  };
  return async () => void (await call(atCopy, "POST", "/federation/replicas", body));
}

async function projectsOf(
  connection: Connection,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const { projects } = await call(connection, "GET", "/projects");
  return projects as readonly { readonly id: number; readonly name: string }[];
}

async function projectId(connection: Connection, name: string): Promise<number> {
  const found = (await projectsOf(connection)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no project ${name}`);
  return found.id;
}

/** Waits until the hub has everything that was written on the copy. */
async function drained(connection: Connection): Promise<void> {
  for (;;) {
    const { statuses } = (await call(connection, "GET", "/federation/status")) as {
      readonly statuses: readonly {
        readonly pending_push_count: number;
        readonly last_sync_at?: string;
        readonly active_quarantine_count: number;
      }[];
    };
    const [status] = statuses;
    if (status !== undefined && status.active_quarantine_count > 0)
      throw new Error(`the hub refused a batch: ${JSON.stringify(status)}`);
    if (status?.pending_push_count === 0 && status.last_sync_at !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function create({ socketPath }: BenchDaemon, project: number, issues: number): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    const connection = await connect(socketPath);
    while (next < issues) {
      next += 1;
      const text = "Some words. ".repeat(20);
      const body = { title: `Offline issue ${next}`, body: text, actor: "ann", force_new: true };
      await call(connection, "POST", `/projects/${project}/issues`, body);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

/** Creates issues by turns in the copy and in a project that belongs to no hub, and compares the times. */
async function compareWrites(copy: BenchDaemon, connection: Connection): Promise<void> {
  await call(connection, "POST", "/projects", { name: "unbound", actor: "bench" });
  const projects = [await projectId(connection, "unbound"), await projectId(connection, "shared")];
  const times: [number[], number[]] = [[], []];
  const processor = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, project] of projects.entries()) {
      const before = processorSeconds(copy.pid);
      for (let n = 0; n < IN_A_ROW; n += 1) {
        const body = { title: `Written issue ${n}`, actor: "ann", force_new: true };
        const sent = performance.now();
        await call(connection, "POST", `/projects/${project}/issues`, body);
        times[at === 0 ? 0 : 1].push(performance.now() - sent);
      }
      processor[at] = (processor[at] ?? 0) + processorSeconds(copy.pid) - before;
      // Wait until everything is sent, so that the sending is not measured with the writes of the next project.
      await drained(connection);
    }
  }
  const [own, bound] = times.map(median);
  goals.tell("a write in a project of its own, median", own ?? 0, "ms");
  goals.tell("a write in the copy, median", bound ?? 0, "ms");
  goals.tell("processor of both", (processor[1] ?? 0) / (processor[0] ?? 1), "times");
  goals.atMost("a write in the copy, as times of the other", (bound ?? 0) / (own ?? 1), WRITE, "");
}

/** Measures both daemons during the same work. */
async function measureBoth(
  of: Readonly<Record<"hub" | "copy", { readonly daemon: BenchDaemon; readonly comments: string }>>,
  run: () => Promise<unknown>,
): Promise<Readonly<Record<"hub" | "copy", Beside>>> {
  const work = Promise.withResolvers<void>();
  const hub = measureBeside(of.hub.daemon, of.hub.comments, async () => await work.promise);
  const copy = await measureBeside(of.copy.daemon, of.copy.comments, async () => {
    await run();
    work.resolve();
  });
  return { hub: await hub, copy };
}
