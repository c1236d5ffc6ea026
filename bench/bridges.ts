/**
 * Measures the runs of bridges that a daemon begins by itself: 500 bridges are due when it starts, of which 50 belong
 * to a connector that answers nothing. Another process asks the daemon for `ping` every 5 ms and comments on an issue
 * every 100 ms, until all others have been run. The connectors are shell scripts, so that most of the work is that of
 * svc. The exit code says whether the goals are met.
 *
 *   npm run bench -- bridges [--bridges 500] [--hanging 50] [--timeout 30]
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { accountDigest } from "../src/domain/bridges/pauses.ts";
import { openStore } from "../src/store/open.ts";
import { givenBridge } from "../test/support/bridges.ts";
import { measureBeside } from "./support/beside-row.ts";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { Goals } from "./support/goals.ts";
import { processorSeconds } from "./support/processor-time.ts";

const { values: flags } = parseArgs({
  options: {
    bridges: { type: "string", default: "500" },
    hanging: { type: "string", default: "50" },
    timeout: { type: "string", default: "30" },
  },
});
const BRIDGES = Number(flags.bridges);
const HANGING = Number(flags.hanging);

/** The others are to have run before the next scan. */
const SCAN_S = 30;
const PING_MS = 20;
/** Longer than the bench may take. */
const MOST_S = 300;

const home = mkdtempSync(path.join(tmpdir(), "svc-bridges-"));
const database = path.join(home, "svc.db");

/** Answers with the same root, without comments, in the account `a`. */
const ANSWERS = `#!/bin/sh
IFS= read -r line
id=\${line#*'"id":"'}; id=\${id%%'"'*}
method=\${line#*'"method":"'}; method=\${method%%'"'*}
key=\${line#*'"root_key":"'}; key=\${key%%'"'*}
at=2026-01-01T00:00:00.000Z
case $method in
describe) result='{"connector_id":"bench","display_name":"Bench","protocol":"svc.connector.v1","capabilities":[],"account_identity":"a"}' ;;
list_comments) result='{"comments":[]}' ;;
*) result='{"key":"'$key'","identity_key":"a","title":"'$key'","body":"","state":"open","revision":"1","updated_at":"'$at'","observed_at":"'$at'"}' ;;
esac
printf '{"protocol":"svc.connector.v1","id":"%s","result":%s}' "$id" "$result"
`;

try {
  await main();
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function main(): Promise<void> {
  configure();
  const comments = await seed();
  const daemon = await startBenchDaemon({ home });
  const db = new Database(database, { readonly: true });
  const done = db.prepare(
    "select count(*) from external_root_binding where connector_instance = 'quick' and last_success_at is not null",
  );
  const ofDaemon = processorSeconds(daemon.pid);
  const beside = await measureBeside(daemon, comments, async () => {
    const begun = performance.now();
    while (Number(done.pluck().get()) < BRIDGES - HANGING) {
      if (performance.now() - begun > MOST_S * 1000) throw new Error("the bridges do not all run");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  const seconds = processorSeconds(daemon.pid) - ofDaemon;
  db.close();
  const stopping = performance.now();
  await daemon.stop();
  const stopped = performance.now() - stopping;
  report(beside, { seconds, stopped });
}

function configure(): void {
  const scripts = { quick: ANSWERS, hangs: "#!/bin/sh\nexec sleep 600\n" };
  const entries = Object.entries(scripts).map(([id, text]) => {
    const command = path.join(home, `${id}.sh`);
    writeFileSync(command, text);
    chmodSync(command, 0o700);
    return `[[connector]]\nid = "${id}"\ncommand = "${command}"\ntimeout_seconds = ${flags.timeout}\n`;
  });
  writeFileSync(path.join(home, "config.toml"), entries.join("\n"), { mode: 0o600 });
}

/** Makes the issues and their bridges, and returns the path of the comments of an issue without one. */
async function seed(): Promise<string> {
  const daemon = await startBenchDaemon({ home });
  const connection = await connect(daemon.socketPath);
  const post = async <T>(target: string, body: object): Promise<T> => {
    const text = JSON.stringify({ ...body, actor: "bench" });
    const answer = await connection.send("POST", `/api/v1${target}`, text);
    if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body) as T;
  };
  const { project } = await post<{ project: { id: number } }>("/projects", { name: "bridged" });
  const target = `/projects/${project.id}/issues`;
  const issue = async (title: string): Promise<{ readonly uid: string }> =>
    (await post<{ issue: { uid: string } }>(target, { title, force_new: true })).issue;
  const uids: string[] = [];
  for (let number = 0; number < BRIDGES; number += 1) uids.push((await issue(`${number}`)).uid);
  const beside = await issue("beside");
  connection.close();
  await daemon.stop();
  const ids = systemIds();
  const store = await openStore({ dsn: database, clock: systemClock, ids, timezone: "UTC" });
  // Those of the connector that hangs stand first, so that they are begun before the others.
  for (const [number, uid] of uids.entries()) {
    const connector_instance = number < HANGING ? "hangs" : "quick";
    const external_account_digest = accountDigest(connector_instance, "a");
    const root = { connector_instance, external_account_digest, external_root_key: `root-${uid}` };
    await givenBridge({ ids, clock: systemClock, store }, { uid }, root);
  }
  await store.close();
  return `/api/v1${target}/${beside.uid}/comments`;
}

function report(
  { seconds, ping, idle, write, peakMiB }: Awaited<ReturnType<typeof measureBeside>>,
  daemon: { readonly seconds: number; readonly stopped: number },
): void {
  const goals = new Goals();
  console.log(`${BRIDGES} bridges, ${HANGING} of them on a connector that hangs`);
  goals.atMost("all others have been run", seconds, SCAN_S, "s");
  goals.tell("  processor time of the daemon", daemon.seconds, "s");
  goals.atMost("ping beside them, p99", ping.p99, PING_MS, "ms");
  goals.tell("  longest", ping.max, "ms");
  goals.tell("  of an idle daemon, p99", idle.p99, "ms");
  goals.tell("comment beside them, p99", write.p99, "ms");
  goals.tell("peak memory of the daemon", peakMiB, "MiB");
  goals.tell("stop of the daemon while runs hang", daemon.stopped, "ms");
  goals.end();
}
