import { existsSync } from "node:fs";
import {
  type ProviderProcess,
  startProvider,
} from "../../../test/meaning/provider/start-provider.ts";
import { type Beside, measureBeside } from "../beside-row.ts";
import { median, percentile } from "../figures.ts";
import type { Goals } from "../goals.ts";
import { processorSeconds } from "../processor-time.ts";
import { seed } from "../seed.ts";
import { type BenchDatabase, postgresDatabase, sqliteDatabase } from "./database.ts";
import { passOver } from "./pass.ts";
import { recallOf, vectorsOfTexts } from "./recall.ts";
import {
  type NamedProvider,
  ownMiB,
  type RunningTracker,
  type SearchCost,
  searchAll,
  startTracker,
  untilEmbedded,
} from "./tracker.ts";

export interface Size {
  readonly issues: number;
  readonly dims: number;
  /** How many searches are measured, of each mode. */
  readonly searches: number;
  readonly on: string;
}

const HYBRID_MS = 60;
const PING_MS = 20;
const PASS_MS = 1000;
const SCORING_MIB = 32;
/** Words alone may take this many times as long as without the index: more than what differs from run to run. */
const WORDS_RATIO = 1.1;
/** Each pass archives a project or restores it again. */
const PASSES = 6;
/** A pass begins 1.5 s after the commit that asks for it. */
const PASS_EVERY_MS = 3000;
const WARM_UP = 20;

/** Measures a daemon with many issues and the provider of the tests. */
export async function measureMeaning(home: string, goals: Goals, size: Size): Promise<void> {
  const isServer = size.on === "postgres";
  const database = isServer ? await postgresDatabase() : await sqliteDatabase(home);
  const isFresh = isServer || !existsSync(database.dsn);
  const provider = await startProvider();
  await provider.state.behave({ dims: size.dims, kind: "clustered" });
  try {
    console.log(`${size.issues} issues, ${size.dims} dimensions, ${size.on}`);
    if (isFresh) await seed(database.dsn, { issues: size.issues, links: 0 });
    await new Measurement(home, database, provider, goals, size).run(isFresh);
    if (!isServer) measureRecall(goals, size);
  } finally {
    await provider.close();
    await database.drop();
  }
}

class Measurement {
  readonly #home: string;
  readonly #database: BenchDatabase;
  readonly #provider: ProviderProcess;
  readonly #goals: Goals;
  readonly #size: Size;
  readonly #named: NamedProvider;
  /** The project with the issues, the path below which the other process comments, and a project to archive. */
  #places = { project: "", comments: "", empty: "" };
  #asked = 0;

  constructor(
    home: string,
    database: BenchDatabase,
    provider: ProviderProcess,
    goals: Goals,
    size: Size,
  ) {
    this.#home = home;
    this.#database = database;
    this.#provider = provider;
    this.#goals = goals;
    this.#size = size;
    this.#named = { baseUrl: provider.baseUrl, model: "bench", dims: size.dims };
  }

  async run(isFresh: boolean): Promise<void> {
    const before = await this.#words(undefined, isFresh);
    if (isFresh) await this.#fill();
    const after = await this.#words(this.#named);
    const again = await this.#words(undefined);
    this.#tellWords([before, again], after);
    await this.#search();
    const cost = await passOver(this.#database.dsn, this.#named);
    this.#goals.atMost("a pass over unchanged issues, in this process", cost.ms, PASS_MS, "ms");
    this.#goals.tell("  processor time", cost.processorMs, "ms");
    this.#goals.tell("  the event loop is blocked, longest", cost.blockedMs, "ms");
    const bytes = await this.#database.vectorBytes();
    this.#goals.tell("bytes of the vectors", bytes / 1e6, "MB");
  }

  async #words(provider: NamedProvider | undefined, isFresh = false): Promise<SearchCost> {
    const tracker = await startTracker(this.#home, this.#database, provider);
    if (isFresh) await this.#makePlaces(tracker);
    await this.#findPlaces(tracker);
    if (provider !== undefined) await untilEmbedded(tracker, this.#size.issues + 1);
    const cost = await this.#searches(tracker, "lexical");
    await tracker.stop();
    return cost;
  }

  async #makePlaces(tracker: RunningTracker): Promise<void> {
    for (const name of ["beside", "empty"])
      await tracker.send("POST", "/projects", { name, actor: "bench" });
    const { beside } = await this.#projects(tracker);
    await tracker.send("POST", `/projects/${beside}/issues`, { title: "beside", actor: "bench" });
  }

  async #findPlaces(tracker: RunningTracker): Promise<void> {
    const { bench = "", beside = "", empty = "" } = await this.#projects(tracker);
    const target = `/projects/${beside}/issues`;
    const { issues } = await tracker.send<{ issues: { uid: string }[] }>("GET", target);
    const comments = `/api/v1${target}/${issues[0]?.uid ?? ""}/comments`;
    this.#places = { project: bench, comments, empty };
  }

  /** The ids of the projects by their names. */
  async #projects(tracker: RunningTracker): Promise<Readonly<Record<string, string>>> {
    const { projects } = await tracker.send<{ projects: { id: number; name: string }[] }>(
      "GET",
      "/projects",
    );
    return Object.fromEntries(projects.map(({ id, name }) => [name, String(id)]));
  }

  async #searches(tracker: RunningTracker, mode: "lexical" | "hybrid"): Promise<SearchCost> {
    await searchAll(tracker, this.#places.project, mode, this.#queries(WARM_UP));
    return await searchAll(tracker, this.#places.project, mode, this.#queries(this.#size.searches));
  }

  /** Queries that were not asked before, so that the provider is called for each: words of the seeded issues. */
  #queries(count: number): readonly string[] {
    const word = (n: number): string => `w${((n % 20_000) * 7919).toString(36)}`;
    return Array.from({ length: count }, () => {
      const n = this.#asked++;
      return `${word(n * 31)} ${word(n * 17 + 5)}${n % 10 === 0 ? " common" : ""}`;
    });
  }

  async #beside(tracker: RunningTracker, run: () => Promise<unknown>): Promise<Beside> {
    return await measureBeside(tracker.daemon, this.#places.comments, run);
  }

  #tellWords(without: readonly SearchCost[], after: SearchCost): void {
    for (const [what, cost] of [
      ["without a provider", without[0]],
      ["with the index", after],
      ["without a provider, again", without[1]],
    ] as const)
      if (cost !== undefined) this.#tellSearch(`words, ${what}`, cost);
    const mean = (without.reduce((sum, cost) => sum + cost.processorMs, 0) || 1) / without.length;
    const ratio = after.processorMs / mean;
    this.#goals.atMost("words with / without, processor time", ratio, WORDS_RATIO, "");
  }

  #tellSearch(what: string, { times, processorMs: processor }: SearchCost): void {
    this.#goals.tell(`${what}, p50`, median(times), "ms");
    this.#goals.tell(`  p99`, percentile(times, 0.99), "ms");
    this.#goals.tell(`  processor time of the daemon`, processor, "ms");
  }

  async #fill(): Promise<void> {
    const tracker = await startTracker(this.#home, this.#database, this.#named);
    const { pid } = tracker.daemon;
    const [ofDaemon, ofProvider] = [processorSeconds(pid), processorSeconds(this.#provider.pid)];
    const cost = await this.#beside(
      tracker,
      async () => await untilEmbedded(tracker, this.#size.issues + 1),
    );
    const goals = this.#goals;
    goals.tell("filling the index", cost.seconds, "s");
    goals.tell("  processor time of the daemon", processorSeconds(pid) - ofDaemon, "s");
    goals.tell("  of the provider", processorSeconds(this.#provider.pid) - ofProvider, "s");
    goals.tell("  peak memory of the daemon", cost.peakMiB, "MiB");
    this.#tellPing("filling the index", cost);
    await tracker.stop();
  }

  #tellPing(what: string, { ping, idle, write }: Beside): void {
    this.#goals.atMost(`ping beside ${what}, p99`, ping.p99, PING_MS, "ms");
    this.#goals.tell("  of an idle daemon meanwhile", idle.p99, "ms");
    this.#goals.tell("  longest", ping.max, "ms");
    this.#goals.tell("  longest comment", write.max, "ms");
  }

  async #search(): Promise<void> {
    const { empty } = this.#places;
    await this.#provider.state.forgetCalls();
    const tracker = await startTracker(this.#home, this.#database, this.#named);
    const { pid } = tracker.daemon;
    await untilEmbedded(tracker, this.#size.issues + 1);
    this.#goals.atMost("calls of the provider by an unchanged index", await this.#calls(), 0, "");
    await this.#searches(tracker, "lexical");
    const rest = await this.#beside(tracker, async () => await resting(PASS_EVERY_MS));
    this.#goals.tell("ping of the daemon at rest, p99", rest.ping.p99, "ms");
    const before = ownMiB(pid);
    this.#goals.tell("the first search by meaning", await this.#firstSearch(tracker), "ms");
    const cost = await this.#searches(tracker, "hybrid");
    this.#goals.atMost("memory of the scoring thread", ownMiB(pid) - before, SCORING_MIB, "MiB");
    this.#tellSearch("hybrid", cost);
    this.#goals.atMost("hybrid, p99", percentile(cost.times, 0.99), HYBRID_MS, "ms");
    const searching = async () => await this.#searches(tracker, "hybrid");
    this.#tellPing("searches", await this.#beside(tracker, searching));
    const passes = await this.#beside(tracker, async () => {
      for (let pass = 0; pass < PASSES; pass++) {
        const [method, target] = pass % 2 === 0 ? ["DELETE", ""] : ["POST", "/restore"];
        await tracker.send(method, `/projects/${empty}${target}?actor=bench`);
        await resting(PASS_EVERY_MS);
      }
    });
    this.#tellPing("passes", passes);
    await tracker.stop();
  }

  /** On a busy machine the thread may need longer to read the index than a search waits. Then the next one is answered. */
  async #firstSearch(tracker: RunningTracker): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const asked = new URLSearchParams({ q: "first search", mode: "auto" });
      const target = `/projects/${this.#places.project}/search?${asked.toString()}`;
      const { mode } = await tracker.send<{ mode: string }>("GET", target);
      if (mode === "hybrid") return performance.now() - begun;
    }
  }

  async #calls(): Promise<number> {
    return (await this.#provider.state.calls()).length;
  }
}

async function resting(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

const QUERIES = 50;

function measureRecall(goals: Goals, { issues, dims }: Size): void {
  for (const kind of ["clustered", "anisotropic", "random"] as const) {
    const texts = Array.from({ length: issues }, (_, n) => `issue ${n}`);
    const asked = Array.from({ length: QUERIES }, (_, n) => `query ${n}`);
    const { share, hitShare, bitsMs, exactMs } = recallOf(
      vectorsOfTexts(texts, kind, dims),
      vectorsOfTexts(asked, kind, dims),
    );
    goals.tell(`recall of the 50 nearest, ${kind}`, share, "");
    goals.tell("  of those that are hits", hitShare, "");
    goals.tell("  time with sign bits", bitsMs, "ms");
    goals.tell("  time of comparing all", exactMs, "ms");
  }
}
