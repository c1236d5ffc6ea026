/**
 * Measures a hub to which many spokes turn at the same moment: first for their first page, then to learn that there is
 * nothing new, and at last to send changes of the same issues and to read those of all others. The hub is a daemon of the built svc. The spokes have a database each and read by HTTP, all in the process of
 * the bench, so their writing competes with the hub for the processors. Beside it another process asks the hub for
 * `ping` every 5 ms and comments on an issue of another project every 100 ms. In the end each spoke must have the rows of
 * the hub.
 *
 *   npm run bench -- federation-spokes [spokes] [issues]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { silentLog } from "../src/base/log.ts";
import { federationOf } from "../src/daemon/federation.ts";
import { issueCommented, issueUpdated } from "../src/domain/drafts/issues.ts";
import { projectCreated } from "../src/domain/drafts/projects.ts";
import { HttpHub } from "../src/federation/http-hub.ts";
import type { AdminStore } from "../src/store/admin-store.ts";
import { openStore } from "../src/store/open.ts";
import { portableRows } from "../test/federation/nodes/portable.ts";
import { freePort } from "../test/support/free-port.ts";
import { bindingTo } from "../test/support/replica.ts";
import { measureBeside } from "./support/beside-row.ts";
import { type Connection, connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { Goals } from "./support/goals.ts";
import { processorSeconds } from "./support/processor-time.ts";
import { seed } from "./support/seed.ts";

const SPOKES = Number(process.argv[2] ?? 100);
/** The first page has all of them, and the event of the baseline. */
const ISSUES = Number(process.argv[3] ?? 900);
const ROUNDS = 10;
/** How many titles each spoke changes, and how many comments it writes. */
const CHANGES = 10;
const PING_MS = 20;
const FLOOR_MS = 3000;

const ids = systemIds();
const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-spokes-"));
const goals = new Goals();
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
goals.end();

interface Spoke {
  readonly store: AdminStore;
  pull(): Promise<number>;
  /** Changes the titles of the first issues, and comments on them. */
  write(): Promise<void>;
}

async function run(): Promise<void> {
  const home = mkdtempSync(path.join(folder, "hub"));
  const uid = await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES });
  const address = `127.0.0.1:${await freePort()}`;
  const listen = `listen = ["unix://${home}/hub.sock", "${address}"]\n`;
  writeFileSync(path.join(home, "config.toml"), listen, { mode: 0o600 });
  const hub = await startBenchDaemon({ home });
  const asked = await connect(hub.socketPath);
  const known = await call(asked, "/projects/1/federation/enable", {});
  const notes = (await call(asked, "/projects", { name: "notes" })) as Made;
  const issues = `/projects/${notes.project?.id}/issues`;
  const note = (await call(asked, issues, { title: "beside" })) as Made;
  const comments = `/api/v1${issues}/${note.issue?.uid}/comments`;
  const spokes: Spoke[] = [];
  for (let made = 0; made < SPOKES; made += 1)
    spokes.push(await spokeOf(asked, `http://${address}`, uid, known, made));
  console.log(
    `${SPOKES} spokes, ${ISSUES} issues, load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(" ")}`,
  );

  const measured = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const before = processorSeconds(hub.pid);
    const { seconds, ping, write, peakMiB } = await measureBeside(hub, comments, work);
    console.log(what);
    goals.tell("time", seconds, "s");
    goals.tell("processor of the hub", processorSeconds(hub.pid) - before, "s");
    goals.tell("memory of the hub, at most", peakMiB, "MiB");
    goals.tell("ping p50", ping.p50, "ms");
    goals.tell("ping at most", ping.max, "ms");
    goals.tell("comment p99", write.p99, "ms");
    goals.tell("comments refused as busy", write.busy, "");
    goals.atMost("ping p99", ping.p99, PING_MS, "ms");
  };
  const rest = async () => await new Promise((resolve) => setTimeout(resolve, FLOOR_MS));
  await measured("the hub does nothing else", rest);
  const all = async (events: number): Promise<void> => {
    const read = await Promise.all(spokes.map(async (spoke) => await spoke.pull()));
    if (
      !isDeepStrictEqual(
        read,
        spokes.map(() => events),
      )
    )
      throw new Error(`read ${read.join()}`);
  };
  await measured("every spoke reads its first page", async () => await all(ISSUES + 1));
  await measured(`every spoke asks again, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await all(0);
  });
  await Promise.all(spokes.map(async (spoke) => await spoke.write()));
  await measured(`every spoke sends ${2 * CHANGES} changes, and reads the others'`, async () => {
    await Promise.all(spokes.map(async (spoke) => await spoke.pull()));
    for (;;) {
      const read = await Promise.all(spokes.map(async (spoke) => await spoke.pull()));
      if (read.every((events) => events === 0)) return;
    }
  });
  asked.close();
  await hub.stop();
  await expectEqual(path.join(home, "svc.db"), uid, spokes);
}

interface Made {
  readonly project?: { readonly id: number };
  readonly issue?: { readonly uid: string };
}

async function spokeOf(
  asked: Connection,
  hub_url: string,
  uid: string,
  metadata: Readonly<Record<string, unknown>>,
  number: number,
): Promise<Spoke> {
  const store = await opened(path.join(folder, `spoke-${number}.db`));
  const spoke_instance_uid = store.instanceUid;
  const grant = { spoke_instance_uid, project_id: 1, capabilities: "pull,push" };
  const { token } = await call(asked, "/federation/enrollments", grant);
  const known = {
    project_id: 1,
    replay_horizon_event_id: Number(metadata["replay_horizon_event_id"]),
    baseline_through_event_id: Number(metadata["baseline_through_event_id"]),
  };
  await store.write(async (tx) => {
    await tx.append(projectCreated(uid, "bench", { actor: "bench", now: tx.now }));
    const binding = bindingTo(hub_url, uid, known, tx.now);
    const sends = { push_enabled: 1, bound_actor: "bench" } as const;
    await tx.unfolded.put("federation_binding", { ...binding, ...sends });
  });
  const credential = {
    ...{ hub_url, hub_project_id: 1, token: String(token), capabilities: ["pull", "push"] },
    ...{ actor: "bench", allow_insecure: false, spoke_instance_uid },
  };
  const settings = {
    intervalMs: 30_000,
    credential: async () => await Promise.resolve(credential),
    hub: async (replica: Parameters<typeof hubOf>[0]) =>
      await Promise.resolve(hubOf(replica, credential.token, spoke_instance_uid)),
  };
  const { pull } = federationOf(settings, {
    ...{ store, clock: systemClock, ids: systemIds(), log: silentLog, worker: undefined },
    settings: { timezone: "UTC", close_throttle: { enabled: false, window_ms: 1, limit: 1 } },
    forgetTokens: async () => await Promise.resolve(),
  });
  return {
    store,
    pull: async () => {
      const pulled = await pull(uid, new AbortController().signal);
      if (pulled.outcome !== "current") throw new Error(JSON.stringify(pulled));
      return pulled.events;
    },
    write: async () => {
      const found = await store.read(
        async ({ issues }) => await issues.list({ project_uid: uid, limit: CHANGES }, "recent"),
      );
      const body = `comment of spoke ${number}`;
      const said = () => ({ uid: ids.ulid(), author: "bench", body });
      await store.write(async (tx) => {
        const act = { actor: "bench", now: tx.now };
        for (const issue of found) {
          await tx.append(issueUpdated(issue, { title: `title of spoke ${number}` }, act));
          await tx.append(issueCommented(issue, said(), act));
        }
      });
    },
  };
}

function hubOf(
  replica: { readonly hub_url: string; readonly hub_project_id: number },
  token: string,
  spoke_instance_uid: string,
): HttpHub {
  const options = { clock: systemClock, trustsPrivateNetwork: false, maxMs: 60_000 };
  return new HttpHub(options, { ...replica, token, allow_insecure: false, spoke_instance_uid });
}

async function expectEqual(dsn: string, uid: string, spokes: readonly Spoke[]): Promise<void> {
  const hub = await opened(dsn);
  const wanted = await portableRows(hub, new Set([uid]));
  await hub.close();
  for (const { store } of spokes) {
    const found = await portableRows(store, new Set([uid]));
    if (!isDeepStrictEqual(found, wanted)) throw new Error("a spoke has other rows than the hub");
    await store.close();
  }
  console.log(`${spokes.length} spokes have the rows of the hub`);
}

async function opened(dsn: string): Promise<AdminStore> {
  return await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
}

async function call(
  connection: Connection,
  at: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const text = JSON.stringify({ actor: "bench", ...body });
  const answer = await connection.send("POST", `/api/v1${at}`, text);
  if (answer.status >= 300) throw new Error(`${at}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as Readonly<Record<string, unknown>>;
}
