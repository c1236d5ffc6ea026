import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { built } from "../built.ts";
import { processorMs } from "../daemon.ts";
import { median } from "../figures.ts";
import type { Goals } from "../goals.ts";
import { threadsOf } from "./tracker.ts";

const TODAY = path.resolve(import.meta.dirname, "../../..");
const WARM_UP = 3;
/** The start may take this many times as long as before: more than what differs from run to run. */
const START_RATIO = 1.03;
/** After this time all engines have begun, and threads that only the start needed have ended. */
const SETTLED_MS = 15_000;

interface Version {
  readonly name: string;
  readonly home: string;
  readonly ms: number[];
  readonly processorMs: number[];
  svc(...words: readonly string[]): string;
}

/** Compares daemons without a provider, of today and of an older commit: their start, their threads and their files. */
export async function measureWithout(
  folder: string,
  goals: Goals,
  { commit, rounds }: { readonly commit: string; readonly rounds: number },
): Promise<void> {
  const old = versionIn(folder, commit, built(commit, folder));
  const today = versionIn(folder, "today", TODAY);
  for (const { svc } of [old, today]) svc("init", "--project", "bench");
  for (const { svc } of [old, today]) svc("daemon", "stop");
  for (let round = 0; round < rounds + WARM_UP; round++)
    for (const version of round % 2 === 0 ? [old, today] : [today, old])
      start(version, round >= WARM_UP);
  for (const { name, ms, processorMs: processor } of [old, today]) {
    goals.tell(`start of a daemon, ${name}`, median(ms), "ms");
    goals.tell("  its processor time", median(processor), "ms");
  }
  goals.tell("start today / before, elapsed", ratioOf(today.ms, old.ms), "");
  const ratio = ratioOf(today.processorMs, old.processorMs);
  goals.atMost("start today / before, processor time", ratio, START_RATIO, "");
  const [before, now] = [await threads(old), await threads(today)];
  console.log(`  threads before: ${before.join(" ")}`);
  console.log(`  threads today:  ${now.join(" ")}`);
  goals.atMost("threads today", now.length, before.length, "");
  const files = readdirSync(today.home).filter((file) => file.includes("vectors"));
  goals.atMost("files of the search by meaning", files.length, 0, "");
}

function versionIn(folder: string, name: string, tree: string): Version {
  const home = path.join(folder, `home-${name}`);
  mkdirSync(home);
  const env = { ...process.env, SVC_HOME: home, XDG_RUNTIME_DIR: home, SVC_AUTHOR: "bench" };
  const options = {
    cwd: home,
    env,
    stdio: "pipe",
    encoding: "utf8",
  } as const;
  const program = path.join(tree, "bin", "svc");
  return {
    ...{ name, home, ms: [], processorMs: [] },
    svc: (...words) => execFileSync(program, words, options),
  };
}

/** Starts and ends a daemon. The time runs until it answers. */
function start({ svc, ms, processorMs: processor }: Version, counts: boolean): void {
  const begun = performance.now();
  const { pid } = JSON.parse(svc("daemon", "start", "--json")) as { readonly pid: number };
  const took = performance.now() - begun;
  const used = processorMs(pid);
  svc("daemon", "stop");
  if (!counts) return;
  ms.push(took);
  processor.push(used);
}

/** The median of the ratios within each round, so that a slow moment of the machine counts in both. */
function ratioOf(today: readonly number[], before: readonly number[]): number {
  return median(today.map((one, round) => one / (before[round] ?? Number.NaN)));
}

async function threads({ svc }: Version): Promise<readonly string[]> {
  const { pid } = JSON.parse(svc("daemon", "start", "--json")) as { readonly pid: number };
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const found = threadsOf(pid);
  svc("daemon", "stop");
  return found;
}
