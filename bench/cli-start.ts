/**
 * Measures the time of whole processes: the most frequent commands, against a running daemon with 2,000 and with 20,000
 * issues, and a first command that must start the daemon. The baseline is `node -e 0`. Each round runs every process
 * once, and the medians of the rounds are compared with that of the baseline.
 *
 *   npm run bench -- cli-start [rounds]
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startBenchDaemon } from "./support/daemon.ts";
import { median, percentile } from "./support/figures.ts";
import { seed } from "./support/seed.ts";

const ROUNDS = Number(process.argv[2] ?? 40);
const SIZES = [2_000, 20_000] as const;
const FLOOR = "node -e 0";

const root = path.resolve(import.meta.dirname, "..");
const RUN = path.join(root, "bin", "run.js");
const SVC = path.join(root, "bin", "svc");
const NODE = process.execPath;

const MESSAGE = "the bench closes it, and opens it again right after that";
const CLOSED = ["--done", "--commit", "0123456789", "-m", MESSAGE, "--json"];

type Line = readonly [program: string, ...args: readonly string[]];
type Lines = Readonly<Record<string, Line>>;

const listTimes = new Map<number, number>();
for (const issues of SIZES) await measureRunningDaemon(issues);
const [small = 0, large = 0] = SIZES.map((issues) => listTimes.get(issues));
console.log(
  `\nlist --json at ${SIZES[1]} / at ${SIZES[0]} issues: ${(large / small).toFixed(2)}x (goal 1.15)`,
);
measureFirstStart();

async function measureRunningDaemon(issues: number): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), "svc-start-"));
  await seed(path.join(home, "svc.db"), { issues, links: issues * 3 });
  const daemon = await startBenchDaemon({ home });
  const cwd = makeWorkspace(home);
  const env = { ...daemon.env, HOME: home };
  const ref = firstRef(cwd, env);
  const lines: Lines = {
    [FLOOR]: [NODE, "-e", "0"],
    "node, one request over the socket": [NODE, "-e", requests(daemon.socketPath, 1)],
    "node, two, one after the other": [NODE, "-e", requests(daemon.socketPath, 2)],
    "list --json": [NODE, RUN, "list", "--json"],
    "ready --json": [NODE, RUN, "ready", "--json"],
    "show --json": [NODE, RUN, "show", ref, "--json"],
    "search --json": [NODE, RUN, "search", "w64r7", "--json"],
    "next --json": [NODE, RUN, "next", "--json"],
    create: [NODE, RUN, "create", "an issue of the bench", "--force-new"],
    "claim --json": [NODE, RUN, "claim", ref, "--force", "--json"],
    "close --json": [NODE, RUN, "close", ref, ...CLOSED],
    "reopen --json": [NODE, RUN, "reopen", ref, "--json"],
    "list --json by bin/svc": [SVC, "list", "--json"],
    "list, for people": [NODE, RUN, "list"],
    version: [NODE, RUN, "version"],
    "--help": [NODE, RUN, "--help"],
  };
  console.log(`\nwarm daemon, ${issues} issues, ${ROUNDS} rounds`);
  const medians = compare(lines, cwd, env);
  listTimes.set(issues, medians.get("list --json") ?? Number.NaN);
  await daemon.stop();
  rmSync(home, { recursive: true });
}

/** Measures commands that must start the daemon. Each round ends with `svc daemon stop`. */
function measureFirstStart(): void {
  const home = mkdtempSync(path.join(tmpdir(), "svc-first-"));
  const cwd = makeWorkspace(home);
  const env = {
    ...process.env,
    HOME: home,
    SVC_HOME: home,
    SVC_AUTHOR: "bench",
    XDG_RUNTIME_DIR: home,
  };
  runSvc(["init", "--project", "bench"], cwd, env);
  runSvc(["create", "one issue"], cwd, env);
  runSvc(["daemon", "stop"], cwd, env);
  console.log("\nfirst command, which starts the daemon");
  const lines: Lines = {
    [FLOOR]: [NODE, "-e", "0"],
    "list --json, no daemon": [NODE, RUN, "list", "--json"],
  };
  compare(lines, cwd, env, () => runSvc(["daemon", "stop"], cwd, env));
  rmSync(home, { recursive: true });
}

function compare(
  lines: Lines,
  cwd: string,
  env: NodeJS.ProcessEnv,
  after?: () => void,
): Map<string, number> {
  const times = new Map(Object.keys(lines).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    for (const [name, [program, ...args]] of Object.entries(lines)) {
      const start = performance.now();
      const run = spawnSync(program, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
      const took = performance.now() - start;
      if (run.status !== 0)
        throw new Error(`${name}: exit ${run.status}: ${run.stderr.toString()}`);
      if (round >= 3) times.get(name)?.push(took);
    }
    after?.();
  }
  const floor = median(times.get(FLOOR) ?? []);
  const medians = new Map<string, number>();
  for (const [name, sample] of times) {
    const middle = median(sample);
    medians.set(name, middle);
    const columns = [
      middle.toFixed(1),
      percentile(sample, 0.9).toFixed(1),
      `${(middle / floor).toFixed(2)}x`,
    ];
    console.log(`  ${name.padEnd(34)} ${columns.map((text) => text.padStart(8)).join("")}`);
  }
  return medians;
}

function makeWorkspace(home: string): string {
  const folder = path.join(home, "workspace");
  mkdirSync(folder);
  writeFileSync(path.join(folder, ".svc.toml"), 'version = 1\n\n[project]\nname = "bench"\n');
  return folder;
}

function firstRef(cwd: string, env: NodeJS.ProcessEnv): string {
  const { issues } = JSON.parse(runSvc(["list", "--json"], cwd, env)) as {
    issues: { short_id: string }[];
  };
  const ref = issues[0]?.short_id;
  if (ref === undefined) throw new Error("the list is empty");
  return ref;
}

function runSvc(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): string {
  return execFileSync(NODE, [RUN, ...args], { cwd, env, encoding: "utf8" });
}

/**
 * A script that sends pings to the daemon one after the other, each on a connection of its own, without oclif or
 * parsing. It shows how little time a Node program needs for its requests: a reading sends one, and a change two.
 */
function requests(socketPath: string, count: number): string {
  const text =
    "GET /api/v1/ping HTTP/1.1\\r\\nhost: svc.invalid\\r\\nconnection: close\\r\\n\\r\\n";
  return `const { connect } = require("node:net");
let left = ${count};
const next = () => left-- > 0 && connect(${JSON.stringify(socketPath)}).on("data", () => {}).once("close", next).end("${text}");
next();`;
}
