import { systemClock } from "../../src/base/clock.ts";
import { type Chance, chanceOf } from "../support/fleet/work.ts";
import { cause, chooseFault, type FaultName } from "./faults.ts";
import { type Call, History } from "./history.ts";
import { ask } from "./issue-client.ts";
import type { IssueAnswer, IssueInput } from "./issue-model.ts";
import { type Sent, send } from "./send.ts";
import { Site } from "./site.ts";
import { chooseOperation, type Target, Worker } from "./worker.ts";

export interface RoundOptions {
  readonly dsn: string;
  readonly seed: number;
  readonly rounds: number;
  /** In each round one of these faults, chosen by chance, happens to one of the daemons. */
  readonly faults: readonly FaultName[];
}

/** What happened in one round, and what was asked about each of its issues. */
export interface Round {
  readonly fault: FaultName;
  readonly histories: readonly (readonly Call<IssueInput, IssueAnswer>[])[];
}

const ISSUES = 2;
const WORKERS_PER_DAEMON = 3;
const STEPS = 7;
/** After a call that was refused or whose outcome is unknown, a worker waits this long. */
const PAUSE_MS = 50;

/**
 * Lets several workers use two daemons, which share one PostgreSQL database, while a fault happens to one of the
 * daemons. Each round has issues of its own, since the cost of judging a history grows with its length. At the end of a
 * round, each issue is read through both daemons.
 */
export async function twoDaemons(options: RoundOptions): Promise<readonly Round[]> {
  const { dsn, seed, rounds, faults } = options;
  const chance = chanceOf(seed);
  const sites = [await Site.open(dsn), await Site.open(dsn)] as const;
  try {
    const project = await makeProject(sites[0]);
    const done: Round[] = [];
    for (let at = 0; at < rounds; at += 1) {
      const fault = chooseFault(chance, faults);
      const struck = chance.pick(sites) ?? sites[0];
      const targets = await makeTargets(sites[0], project, at);
      const happens = { fault, struck, after: chance.below(ISSUES * STEPS * 2) };
      await work(sites, targets, { dsn, chance, round: at, happens });
      await readThrough(sites, targets);
      done.push({ fault, histories: targets.map(({ history }) => history.calls) });
    }
    return done;
  } finally {
    for (const site of sites) await site.close();
  }
}

interface Happening {
  readonly fault: FaultName;
  readonly struck: Site;
  /** The fault begins after this many calls have ended. */
  readonly after: number;
}

interface Work {
  readonly dsn: string;
  readonly chance: Chance;
  readonly round: number;
  readonly happens: Happening;
}

async function work(
  sites: readonly Site[],
  targets: readonly Target[],
  { dsn, chance, round, happens: { fault, struck, after } }: Work,
): Promise<void> {
  let ended = 0;
  let over: Promise<void> | undefined;
  const strike = (): void => {
    ended += 1;
    if (ended > after) over ??= cause(fault, struck, dsn);
  };
  const workers = sites.flatMap((site, at) =>
    Array.from({ length: WORKERS_PER_DAEMON }, (_, nth) => ({
      site,
      name: `w${at}${nth}-${round}`,
      chance: chanceOf(chance.below(2 ** 31)),
    })),
  );
  await Promise.all(
    workers.map(async ({ site, name, chance: own }) => {
      const worker = new Worker(name);
      const viaSite = async (sent: Sent) => await send(site.socketPath, sent);
      for (let step = 0; step < STEPS; step += 1) {
        const target = own.pick(targets);
        if (target === undefined) return;
        const outcome = await worker.step(chooseOperation(own), target, viaSite);
        strike();
        if (!("answer" in outcome)) await systemClock.sleep(PAUSE_MS);
      }
    }),
  );
  await over;
}

/** Reads each issue through both daemons. A daemon that has no connection yet is asked again. */
async function readThrough(sites: readonly Site[], targets: readonly Target[]): Promise<void> {
  for (const { path, history } of targets)
    for (const [at, site] of sites.entries()) {
      const asked = { client: `reader${at}`, issue: path, input: { op: "show" } } as const;
      while (
        !(
          "answer" in (await ask(async (sent) => await send(site.socketPath, sent), history, asked))
        )
      )
        await systemClock.sleep(PAUSE_MS);
    }
}

async function makeProject(site: Site): Promise<number> {
  const { project } = await make(site, "/projects", { name: "shared", actor: "ann" });
  return project?.id ?? 0;
}

async function makeTargets(site: Site, project: number, round: number): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (let at = 0; at < ISSUES; at += 1) {
    const body = { title: `issue ${at} of round ${round}`, actor: "ann", force_new: true };
    const { issue } = await make(site, `/projects/${project}/issues`, body);
    targets.push({
      path: `/projects/${project}/issues/${issue?.uid ?? ""}`,
      history: new History(),
    });
  }
  return targets;
}

interface CreateAnswer {
  readonly project?: { readonly id: number };
  readonly issue?: { readonly uid: string };
}

/** Creates something. Repeats the request while the fault of the round before keeps the daemon from writing. */
async function make(site: Site, path: string, body: object): Promise<CreateAnswer> {
  for (;;) {
    const received = await send(site.socketPath, { method: "POST", path, body });
    const { status = 0, text = "no answer" } = received ?? {};
    if (status !== 0 && status < 300) return JSON.parse(text);
    if (status !== 503) throw new Error(`${path} was not made: ${text}`);
    await systemClock.sleep(PAUSE_MS);
  }
}
