/**
 * Measures the gain of one part of the build that only makes svc faster: runs svc built with and without that part in
 * turn, and compares the elapsed time and the processor time of the process, in multiples of `node -e 0`. Without a
 * name it lists the names of these parts.
 *
 *   npm run bench -- without <name> [rounds]
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ONLY_FOR_SPEED, type Speed } from "../scripts/build/speed.ts";
import { median } from "./support/figures.ts";
import { seed } from "./support/seed.ts";

const [name = "", given = "20"] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "..");
const NODE = process.execPath;
const WARM_UP = 3;

/** A script that makes a process write its processor time at its end, in microseconds, to file descriptor 3. */
const SAY = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  try { require("node:fs").writeSync(3, String(user + system)); } catch {}
});`;

/**
 * The command that is measured for each part of the build. `first` means a command that must start the daemon. `screen`
 * means that bench/tui.ts measures the part.
 */
const WORDS: Readonly<Record<Speed, readonly string[] | "first" | "screen">> = {
  "fast-path": ["list", "--json"],
  "daemon-file": "first",
  ascii: "first",
  "late-oclif": ["labels", "--json"],
  "late-packages": ["labels", "--json"],
  "late-fetch": "first",
  "late-width": "screen",
  "late-segmenter": "screen",
  "whole-lines": "screen",
};

const speed = ONLY_FOR_SPEED.find((one) => one === name);
if (speed === undefined) {
  console.error(
    `npm run bench -- without <name> [rounds]; the names are ${ONLY_FOR_SPEED.join(", ")}`,
  );
  process.exitCode = 2;
} else {
  await compare(speed, Number(given));
}

async function compare(without: Speed, rounds: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "svc-without-"));
  const trees = { with: treeIn(folder, "with", ""), without: treeIn(folder, "without", without) };
  const words = WORDS[without];
  if (words === "screen") {
    for (const [which, tree] of Object.entries(trees)) {
      console.log(`\n${which} ${without}`);
      const bench = path.join(import.meta.dirname, "tui.ts");
      spawnSync(NODE, [bench, "start", "work", "--tree", tree], { stdio: "inherit" });
    }
  } else {
    const lines = await Promise.all(
      Object.entries(trees).map(async ([which, tree]) => {
        return { name: `${which} ${without}`, ...(await homeOf(folder, which, tree, words)) };
      }),
    );
    report(
      [{ name: "node -e 0", run: () => timedRun(["-e", "0"], folder, process.env) }, ...lines],
      rounds,
    );
  }
  rmSync(folder, { recursive: true, force: true });
}

interface Sample {
  readonly ms: number;
  readonly cpuMs: number;
}

interface Line {
  readonly name: string;
  run(): Sample;
  end?(): void;
}

/** Builds a copy of svc without the part that `without` names. The copy uses the packages of the repository. */
function treeIn(folder: string, which: string, without: string): string {
  const tree = path.join(folder, which);
  mkdirSync(tree);
  for (const part of ["bin", "package.json"])
    cpSync(path.join(root, part), path.join(tree, part), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(tree, "node_modules"));
  // Without the part `ascii`, built files may have non-ASCII characters, so bin/run.js must read them as UTF-8.
  const run = path.join(tree, "bin", "run.js");
  if (without === "ascii")
    writeFileSync(run, readFileSync(run, "utf8").replace('"latin1"', '"utf8"'));
  const env = { ...process.env, SVC_BUILD_TARGET: tree, SVC_BUILD_WITHOUT: without };
  spawnSync(NODE, [path.join(root, "scripts", "build.ts")], { env, stdio: "inherit" });
  return tree;
}

/** Each tree needs its own home and daemon, because svc may replace a daemon of another build. */
async function homeOf(
  folder: string,
  which: string,
  tree: string,
  words: readonly string[] | "first",
): Promise<Pick<Line, "run" | "end">> {
  const home = path.join(folder, `home-${which}`);
  const cwd = path.join(home, "workspace");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(path.join(cwd, ".svc.toml"), 'version = 1\n\n[project]\nname = "bench"\n');
  await seed(path.join(home, "svc.db"), { issues: 2_000, links: 6_000 });
  const own = { HOME: home, SVC_HOME: home, SVC_AUTHOR: "bench", XDG_RUNTIME_DIR: home };
  const env = { ...process.env, ...own, XDG_CACHE_HOME: path.join(home, "cache") };
  const svc = (...args: readonly string[]): Sample =>
    timedRun([path.join(tree, "bin", "run.js"), ...args], cwd, env);
  const stop = (): void => void svc("daemon", "stop");
  if (words !== "first") return { run: () => svc(...words), end: stop };
  const run = (): Sample => {
    const sample = svc("list", "--json");
    stop();
    return sample;
  };
  return { run };
}

function timedRun(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Sample {
  const say = path.join(tmpdir(), `svc-without-say-${process.pid}.cjs`);
  writeFileSync(say, SAY);
  const began = performance.now();
  const run = spawnSync(NODE, ["--require", say, ...words], {
    cwd,
    env,
    // Output goes to a pipe, as when a program or an agent runs svc.
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = performance.now() - began;
  rmSync(say, { force: true });
  if (run.status !== 0) throw new Error(`${words.join(" ")}: ${run.stderr.toString()}`);
  return { ms, cpuMs: Number(run.output[3]?.toString()) / 1000 };
}

function report(lines: readonly Line[], rounds: number): void {
  const samples = new Map(lines.map((line): [Line, Sample[]] => [line, []]));
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    for (const line of round % 2 === 0 ? lines : lines.toReversed()) {
      const sample = line.run();
      if (round >= WARM_UP) samples.get(line)?.push(sample);
    }
  }
  let floor: Sample | undefined;
  for (const [line, all] of samples) {
    const [ms, cpuMs] = [median(all.map((one) => one.ms)), median(all.map((one) => one.cpuMs))];
    floor ??= { ms, cpuMs };
    const [wall, cpu] = [(ms / floor.ms).toFixed(2), (cpuMs / floor.cpuMs).toFixed(2)];
    console.log(
      `  ${line.name.padEnd(24)} ${ms.toFixed(1).padStart(7)} ms ${wall}x, processor ${cpu}x`,
    );
    line.end?.();
  }
}
