/**
 * Tells long stories of a hub and its copies; the tests of `test/federation` tell short ones. Prints the seconds and
 * the events of each seed. If a seed fails, prints its story, shortened. The exit code is 1 if a seed fails.
 *
 * - `simulation`: a hub and spokes as they are, with faults of network and clocks, crashes, restored and copied
 *   databases, leaves and joins. In the end all daemons show the same.
 * - `writers`: a hub and spokes that all write, with faults of network and clocks, crashes and refused batches. In the
 *   end all daemons show the same, and no event is lost.
 * - `properties`: a hub, replicas and daemons whose events come late. Then the log of the hub is admitted to empty
 *   databases: in pages of random sizes, shuffled, to the daemon that wrote it, and from a new baseline on. All of them
 *   show the same.
 *
 * `--nodes` includes the hub, and has no effect on `properties`.
 *
 *   npm run bench -- federation-simulation [simulation|writers|properties] [--seeds 50] [--first 1]
 *     [--operations 10000] [--nodes 3] [--on sqlite]
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";

const FILES = {
  simulation: "simulation.test.ts",
  writers: "writers.test.ts",
  properties: "convergence.test.ts",
} as const;
const TITLES = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;
/**
 * The share of a story's events that are operations; the others are faults and the like. It converts `--operations` to
 * a number of events.
 */
const OPERATIONS = { simulation: 0.75, writers: 1, properties: 0.75 } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "50" },
    first: { type: "string", default: "1" },
    operations: { type: "string", default: "10000" },
    nodes: { type: "string", default: "3" },
    on: { type: "string", default: "sqlite" },
  },
});
const [what = "simulation"] = positionals;
if (!isKey(FILES, what)) throw new Error(`${what} is none of ${Object.keys(FILES).join(", ")}`);
if (!isKey(TITLES, values.on)) throw new Error(`--on ${values.on} is no database`);

const root = path.resolve(import.meta.dirname, "..");
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
const file = `test/federation/${FILES[what]}`;
const run = spawnSync(process.execPath, [vitest, "run", file, "-t", TITLES[values.on]], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    SVC_FEDERATION_SEED: values.first,
    SVC_FEDERATION_SEEDS: values.seeds,
    SVC_FEDERATION_LENGTH: String(Math.ceil(Number(values.operations) / OPERATIONS[what])),
    SVC_FEDERATION_SPOKES: String(Number(values.nodes) - 1),
    SVC_FEDERATION_ADMITTED: "all",
  },
});
process.exitCode = run.status ?? 1;

function isKey<T extends object>(table: T, key: string): key is keyof T & string {
  return Object.hasOwn(table, key);
}
