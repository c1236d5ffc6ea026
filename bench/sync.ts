/**
 * Measures the sync of a repository's issues. The host of the tests has the repository, in a process of its own. A
 * daemon reads the repository for the first time, then again without any change, and then after the change of one
 * issue. During the first read, another process asks the daemon for `ping` every 5 ms and comments on an issue every
 * 100 ms. The same issues are then imported from a file by `svc import` into another home, with the same other process.
 * The exit code says whether the goals are met.
 *
 *   npm run bench -- sync [--issues 10000] [--comments 30000] [--rounds 1]
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { CERTIFICATE } from "../test/client/certificate.ts";
import { startHost } from "../test/sync/host/start-host.ts";
import { type Beside, measureBeside } from "./support/beside-row.ts";
import { type Connection, connect } from "./support/connection.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";
import { median } from "./support/figures.ts";
import { ghRecord, githubIssues, hostIssue } from "./support/github-issues.ts";
import { Goals } from "./support/goals.ts";
import { endedChildrenSeconds, processorSeconds } from "./support/processor-time.ts";

const { values: flags } = parseArgs({
  options: {
    issues: { type: "string", default: "10000" },
    comments: { type: "string", default: "30000" },
    rounds: { type: "string", default: "1" },
  },
});
const ISSUES = Number(flags.issues);
const COMMENTS = Number(flags.comments);
const ROUNDS = Number(flags.rounds);

/** How much more the first read may take than the import of the same issues. */
const RATIO = 1.5;
const PEAK_MIB = 200;
const PING_MS = 20;
const UNCHANGED_REQUESTS = 2;

const TOKEN = "ghp_bench0123456789";
const REPO = "ann/tracker";
const SVC = path.resolve(import.meta.dirname, "../bin/svc");
const folder = mkdtempSync(path.join(tmpdir(), "svc-sync-"));

interface Home {
  readonly daemon: BenchDaemon;
  readonly connection: Connection;
  /** The folder in which commands run, which belongs to the project. */
  readonly work: string;
  /** The path below which the other process comments. */
  readonly comments: string;
  svc(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

interface Cost extends Beside {
  /** Processor time in seconds of the daemon, and of the commands. */
  readonly daemonSeconds: number;
  readonly commandSeconds: number;
}

interface Run {
  readonly status: {
    readonly state: string;
    readonly last_error?: string;
    readonly last_success_at?: string;
    readonly last_created: number;
    readonly last_comments: number;
  };
  readonly import: Readonly<Record<"created" | "updated" | "unchanged" | "requests", number>>;
}

const issues = githubIssues(ISSUES, COMMENTS);
const file = path.join(folder, "issues.json");
writeFileSync(file, JSON.stringify(issues.map(ghRecord)));
const authority = path.join(folder, "authority.pem");
writeFileSync(authority, CERTIFICATE);
const host = await startHost();
await host.state.addToken(TOKEN);
await host.state.addRepository("ann", "tracker");
for (let from = 0; from < ISSUES; from += 1000)
  await host.state.addIssues(REPO, issues.slice(from, from + 1000).map(hostIssue));

/** How long the other process measures the daemon while it does nothing else. */
const FLOOR_MS = 3000;

const floors: Beside[] = [];
const reads: Cost[] = [];
const imports: Cost[] = [];
const idle: number[] = [];
const hostShares: number[] = [];
const unchanged: number[] = [];
const changed: number[] = [];
const requests: number[] = [];
try {
  const MB = (statSync(file).size / 1e6).toFixed(1);
  console.log(`${ISSUES} issues with ${COMMENTS} comments, a file of ${MB} MB`);
  for (let round = 0; round < ROUNDS; round += 1) {
    await measureSync(round);
    await measureImport(round);
  }
  report();
} finally {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measureSync(round: number): Promise<void> {
  const at = await openHome(`sync-${round}`, {
    NODE_EXTRA_CA_CERTS: authority,
    SVC_PROVIDER_TOKEN: TOKEN,
    SVC_PROVIDER_SYNC_ALLOWED_HOSTS: host.host,
  });
  idle.push(at.daemon.residentMiB());
  const rest = async (): Promise<void> =>
    await new Promise((resolve) => setTimeout(resolve, FLOOR_MS));
  floors.push(await measureBeside(at.daemon, at.comments, rest));
  const ofHost = processorSeconds(host.pid);
  const words = ["sync", "github", "enable", "--host", host.host, "--repo", REPO];
  const status = async (): Promise<Run["status"]> => {
    const target = "/api/v1/projects/1/issue-sync/github/status";
    const { status: is } = JSON.parse((await at.connection.send("GET", target)).body) as Run;
    if (is.last_error !== undefined) throw new Error(is.last_error);
    return is;
  };
  const read = await costOf(at, async () => {
    await at.svc(...words);
    while ((await status()).last_success_at === undefined)
      await new Promise((resolve) => setTimeout(resolve, 20));
  });
  reads.push(read);
  hostShares.push(processorSeconds(host.pid) - ofHost);
  const { last_created, last_comments } = await status();
  if (last_created !== ISSUES || last_comments !== COMMENTS)
    throw new Error(`the first read made ${last_created} issues and ${last_comments} comments`);
  // A run reads again from shortly before the last run. Move the host clock on, so that nothing changed there.
  await host.state.tick(3_600_000);
  await once(at, { created: 0, updated: 0 });
  await host.state.tick(3_600_000);
  const none = await once(at, { created: 0, updated: 0, unchanged: 0 });
  unchanged.push(none.ms);
  requests.push(none.requests);
  await host.state.editIssue(REPO, 1, { title: `Changed in round ${round}` });
  changed.push((await once(at, { created: 0, updated: 1, unchanged: 0 })).ms);
  await at.close();
}

async function once(
  at: Home,
  expected: Partial<Run["import"]>,
): Promise<{ readonly ms: number; readonly requests: number }> {
  const begun = performance.now();
  const target = "/api/v1/projects/1/issue-sync/github/once";
  const { status, body } = await at.connection.send("POST", target, "{}");
  const ms = performance.now() - begun;
  const done = JSON.parse(body) as Run;
  const isExpected = Object.entries(expected).every(
    ([name, count]) => done.import[name as keyof Run["import"]] === count,
  );
  if (status !== 200 || !isExpected) throw new Error(`a run answered ${body.slice(0, 500)}`);
  return { ms, requests: done.import.requests };
}

async function measureImport(round: number): Promise<void> {
  const at = await openHome(`import-${round}`, {});
  imports.push(
    await costOf(at, async () => {
      await at.svc("import", "--merge", "--source-format", "github", "--input", file);
    }),
  );
  await at.close();
}

async function costOf(at: Home, run: () => Promise<void>): Promise<Cost> {
  const ofDaemon = processorSeconds(at.daemon.pid);
  let commandSeconds = 0;
  const beside = await measureBeside(at.daemon, at.comments, async () => {
    const ofCommands = endedChildrenSeconds();
    await run();
    commandSeconds = endedChildrenSeconds() - ofCommands;
  });
  const daemonSeconds = processorSeconds(at.daemon.pid) - ofDaemon;
  return { ...beside, daemonSeconds, commandSeconds };
}

/** A new home with a project and with an issue of another project, on which the other process comments. */
async function openHome(name: string, more: Record<string, string>): Promise<Home> {
  const [home, work] = [path.join(folder, name), path.join(folder, `${name}-work`)];
  for (const one of [home, work]) mkdirSync(one);
  const settings = `[provider_sync]\ntoken_host = "${host.host}"\n`;
  writeFileSync(path.join(home, "config.toml"), settings, { mode: 0o600 });
  const daemon = await startBenchDaemon({ home, env: more });
  const options = { cwd: work, env: daemon.env, encoding: "utf8", maxBuffer: 1e9 } as const;
  execFileSync(SVC, ["init", "--project", "synced"], { ...options, stdio: "ignore" });
  const connection = await connect(daemon.socketPath);
  const post = async <T>(target: string, body: object): Promise<T> => {
    const text = JSON.stringify({ ...body, actor: "bench" });
    const answer = await connection.send("POST", `/api/v1${target}`, text);
    if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body) as T;
  };
  const notes = await post<{ project: { id: number } }>("/projects", { name: "notes" });
  const target = `/projects/${notes.project.id}/issues`;
  const note = await post<{ issue: { uid: string } }>(target, { title: "beside" });
  // Wait until the engines have begun and Node has written the compiled code to its cache.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  return {
    ...{ daemon, connection, work },
    comments: `/api/v1${target}/${note.issue.uid}/comments`,
    svc: async (...words) => (await promisify(execFile)(SVC, words, options)).stdout,
    close: async () => {
      connection.close();
      await daemon.stop();
      rmSync(home, { recursive: true });
    },
  };
}

function report(): void {
  const goals = new Goals();
  const of = (costs: readonly Cost[], figure: (cost: Cost) => number): number =>
    median(costs.map(figure));
  const whole = ({ daemonSeconds, commandSeconds }: Cost): number => daemonSeconds + commandSeconds;
  const tell = (what: string, costs: readonly Cost[]): void => {
    goals.tell(
      what,
      of(costs, ({ seconds }) => seconds),
      "s",
    );
    goals.tell(
      "  processor time of the daemon",
      of(costs, ({ daemonSeconds }) => daemonSeconds),
      "s",
    );
    goals.tell(
      "  of the command",
      of(costs, ({ commandSeconds }) => commandSeconds),
      "s",
    );
    goals.tell(
      "  ping, median",
      of(costs, ({ ping }) => ping.p50),
      "ms",
    );
    goals.tell(
      "  ping, longest",
      of(costs, ({ ping }) => ping.max),
      "ms",
    );
    goals.tell(
      "  comment, longest",
      of(costs, ({ write }) => write.max),
      "ms",
    );
    goals.tell(
      "  comments refused as busy",
      of(costs, ({ write }) => write.busy),
      "",
    );
  };
  goals.tell("ping of a daemon at rest, p99", median(floors.map(({ ping }) => ping.p99)), "ms");
  tell("first read", reads);
  goals.tell("  processor time of the host", median(hostShares), "s");
  tell("import of the same issues", imports);
  goals.tell(
    "  ping, p99",
    of(imports, ({ ping }) => ping.p99),
    "ms",
  );
  goals.tell(
    "  peak memory of the daemon",
    of(imports, ({ peakMiB }) => peakMiB),
    "MiB",
  );
  const ratio = (figure: (cost: Cost) => number): number => of(reads, figure) / of(imports, figure);
  goals.atMost(
    "first read / import, elapsed",
    ratio(({ seconds }) => seconds),
    RATIO,
    "",
  );
  goals.atMost(
    "first read / import, processor time of daemon and command",
    ratio(whole),
    RATIO,
    "",
  );
  goals.atMost(
    "ping beside the first read, p99",
    of(reads, ({ ping }) => ping.p99),
    PING_MS,
    "ms",
  );
  goals.tell(
    "  of an idle daemon meanwhile",
    of(reads, (cost) => cost.idle.p99),
    "ms",
  );
  goals.tell("memory of the daemon before", median(idle), "MiB");
  goals.atMost(
    "peak memory of the daemon",
    of(reads, ({ peakMiB }) => peakMiB),
    PEAK_MIB,
    "MiB",
  );
  goals.atMost("requests of an unchanged run", Math.max(...requests), UNCHANGED_REQUESTS, "");
  goals.tell("an unchanged run", median(unchanged), "ms");
  goals.tell("a run that reads one changed issue", median(changed), "ms");
  goals.end();
}
