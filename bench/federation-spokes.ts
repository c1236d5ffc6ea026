/**
 * Measures a hub that many spokes ask at the same moment: first for their first page, then for news when there are
 * none, and last when they send changes of the same issues and read the changes of all others. The hub is a daemon of
 * the built svc. Each spoke has its own database and uses HTTP. The spokes run in a few processes of the lowest
 * priority, so that the hub gets the processors first, as if each spoke had a machine of its own. Meanwhile another
 * process asks the hub for `ping` every 5 ms and comments on an issue of another project every 100 ms. In the end each
 * spoke must have the rows of the hub.
 *
 *   npm run bench -- federation-spokes [spokes] [issues]
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { openStore } from "../src/store/open.ts";
import { portableRows } from "../test/federation/nodes/portable.ts";
import { measureBeside } from "./support/beside-row.ts";
import { connect } from "./support/connection.ts";
import { call, commentsOf, hubHome } from "./support/federation.ts";
import { Goals } from "./support/goals.ts";
import { openConnections } from "./support/open-connections.ts";
import { processorSeconds } from "./support/processor-time.ts";
import { seed } from "./support/seed.ts";
import { type Spokes, startSpokes } from "./support/spokes.ts";

const SPOKES = Number(process.argv[2] ?? 100);
/** With the default, the first page has all issues, and the event of the baseline. */
const ISSUES = Number(process.argv[3] ?? 900);
const ROUNDS = 10;
/** How many titles each spoke changes, and how many comments it writes. */
const CHANGES = 10;
const PROCESSES = 4;
const PING_MS = 20;
const FLOOR_MS = 3000;

const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-spokes-"));
const goals = new Goals();
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
goals.end();

interface Pulled {
  readonly outcome: string;
  readonly events?: number;
  readonly code?: string;
}

async function run(): Promise<void> {
  const at = await hubHome(folder);
  const database = path.join(at.home, "svc.db");
  const projectUid = await seed(database, { issues: ISSUES, links: ISSUES });
  const hub = await at.start();
  const asked = await connect(hub.socketPath);
  const enabled = await call(asked, "POST", "/projects/1/federation/enable", { actor: "bench" });
  const known = {
    project_id: 1,
    replay_horizon_event_id: Number(enabled["replay_horizon_event_id"]),
    baseline_through_event_id: Number(enabled["baseline_through_event_id"]),
  };
  const comments = await commentsOf(asked, "notes");
  asked.close();
  const place = { socketPath: hub.socketPath, hubUrl: at.url, projectUid, folder, known };
  const spokes = await startSpokes(place, { spokes: SPOKES, processes: PROCESSES });
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(`${SPOKES} spokes, ${ISSUES} issues, load ${load.join(" ")}`);

  const measured = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const before = processorSeconds(hub.pid);
    const connections = openConnections(hub.pid);
    const { seconds, ping, idle, write, peakMiB } = await measureBeside(hub, comments, work);
    console.log(what);
    goals.tell("time", seconds, "s");
    goals.tell("processor of the hub", processorSeconds(hub.pid) - before, "s");
    goals.tell("memory of the hub, at most", peakMiB, "MiB");
    goals.tell("connections of spokes, at most", connections.end(), "");
    goals.tell("ping p50", ping.p50, "ms");
    goals.tell("ping at most", ping.max, "ms");
    goals.tell("comment p99", write.p99, "ms");
    goals.tell("comments refused as busy", write.busy, "");
    goals.atMost("ping p99", ping.p99, PING_MS, "ms");
    goals.tell("  of an idle daemon meanwhile", idle.p99, "ms");
  };
  const rest = async () => await new Promise((resolve) => setTimeout(resolve, FLOOR_MS));
  await measured("the hub does nothing else", rest);
  await measured("every spoke reads its first page", async () => await untilCurrent(spokes));
  await measured(`every spoke asks again, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await spokes.all({ do: "pull" });
  });
  await spokes.all({ do: "write", changes: CHANGES });
  await measured(
    `every spoke sends ${2 * CHANGES} changes, and reads the others'`,
    async () => await untilCurrent(spokes),
  );
  await hub.stop();
  await expectEqual(database, projectUid, spokes);
  spokes.close();
}

/** Lets all spokes ask until none of them reads anything new. Counts refusals, such as those of a busy hub. */
async function untilCurrent(spokes: Spokes): Promise<void> {
  const refused: Record<string, number> = {};
  for (;;) {
    const pulled = await spokes.all<Pulled>({ do: "pull" });
    for (const { outcome, code = outcome } of pulled)
      if (outcome !== "current" && outcome !== "more") refused[code] = (refused[code] ?? 0) + 1;
    if (pulled.every(({ outcome, events }) => outcome === "current" && events === 0)) break;
  }
  console.log(`refused passes: ${JSON.stringify(refused)}`);
}

async function expectEqual(dsn: string, uid: string, spokes: Spokes): Promise<void> {
  const hub = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
  const rows = JSON.stringify(await portableRows(hub, new Set([uid])));
  await hub.close();
  const wanted = createHash("sha256").update(rows).digest("hex");
  const found = await spokes.all<string>({ do: "hash" });
  if (found.some((hash) => hash !== wanted)) throw new Error("a spoke has other rows than the hub");
  console.log(`${found.length} spokes have the rows of the hub`);
}
