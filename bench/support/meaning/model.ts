import path from "node:path";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import { EXACT_BELOW } from "../../../src/domain/meaning/nearest.ts";
import { Provider } from "../../../src/meaning/provider.ts";
import { openStore } from "../../../src/store/open.ts";
import { type CorpusIssue, corpus, importCorpus } from "../../../test/search/corpus.ts";
import { type Judged, judged, mean, recall } from "../../../test/search/judged.ts";
import { sqliteDatabase } from "./database.ts";
import { recallOf } from "./recall.ts";
import { type NamedProvider, type RunningTracker, startTracker, untilSettled } from "./tracker.ts";

const KEY = "SVC_BENCH_KEY";
const MODES = ["lexical", "hybrid", "semantic"] as const;
const FILES = ["queries.json", "blind-queries.json"] as const;
const INPUTS = 64;
const CALL_MS = 300_000;

/** Says what a real model finds: of the judged queries, and of the nearest vectors by their sign bits. */
export async function measureModel(
  folder: string,
  provider: NamedProvider,
  issues: number,
): Promise<void> {
  const home = path.join(folder, "home");
  const database = await sqliteDatabase(home);
  const all = corpus();
  const { project_id, idOf } = await imported(database.dsn);
  const key = process.env[KEY] === undefined ? {} : { keyVariable: KEY };
  const tracker = await startTracker(home, database, { ...provider, ...key });
  const begun = performance.now();
  const { embedded, skipped } = await untilSettled(tracker);
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `${embedded} issues embedded by ${provider.model}, ${skipped} refused, ${seconds.toFixed(0)} s`,
  );
  for (const file of FILES) {
    const queries = judged(file);
    const kinds = {
      "all but paraphrases": queries.filter(({ kind }) => kind !== "paraphrase"),
      paraphrases: queries.filter(({ kind }) => kind === "paraphrase"),
    };
    for (const [kind, some] of Object.entries(kinds)) {
      console.log(`\n${file}: ${some.length} queries, ${kind}; recall@1, 5, 10`);
      for (const mode of MODES)
        console.log(
          `  ${mode.padEnd(10)} ${await recallBy(tracker, { project_id, idOf, mode }, some)}`,
        );
    }
  }
  await tracker.stop();
  await tellBits(provider, all, issues);
}

async function imported(dsn: string) {
  const ids = systemIds();
  const store = await openStore({ dsn, clock: systemClock, ids, timezone: "UTC" });
  const found = await importCorpus({ store, ids });
  await store.close();
  return found;
}

interface Way {
  readonly project_id: number;
  readonly idOf: ReadonlyMap<string, string>;
  readonly mode: (typeof MODES)[number];
}

async function recallBy(
  tracker: RunningTracker,
  { project_id, idOf, mode }: Way,
  queries: readonly Judged[],
): Promise<string> {
  const shares: number[][] = [[], [], []];
  for (const one of queries) {
    const asked = new URLSearchParams({ q: one.query, mode, limit: "10" });
    const { results } = await tracker.send<{ results: { issue: { uid: string } }[] }>(
      "GET",
      `/projects/${project_id}/search?${asked.toString()}`,
    );
    const found = results.map(({ issue }) => idOf.get(issue.uid) ?? "");
    for (const [at, most] of [1, 5, 10].entries()) shares[at]?.push(recall(one, found, most));
  }
  return shares.map((some) => mean(some).toFixed(2)).join("  ");
}

/** Embeds many texts: each is the title of one issue with the body of another. */
async function tellBits(
  named: NamedProvider,
  issues: readonly CorpusIssue[],
  count: number,
): Promise<void> {
  if (count < EXACT_BELOW)
    return console.log(`\nbelow ${EXACT_BELOW} vectors all are compared, so the recall is 1`);
  const texts = Array.from({ length: count }, (_, n) => {
    const [title, body] = [
      issues[n % issues.length]?.title,
      issues[(n * 7919 + n) % issues.length]?.body,
    ];
    return `${title ?? ""}\n\n${body ?? ""}`.slice(0, 2000);
  });
  const queries = FILES.flatMap((file) => judged(file).map(({ query }) => query));
  const settings = {
    ...named,
    ...{ batchSize: INPUTS, timeoutMs: CALL_MS, salt: "", trustsPrivateNetwork: false },
    key: async () => await Promise.resolve(process.env[KEY]),
  };
  const provider = new Provider({ clock: systemClock, log: silentLog, settings });
  const [vectors, asked] = [await embedAll(provider, texts), await embedAll(provider, queries)];
  provider.close();
  const { share, hitShare } = recallOf(vectors, asked);
  console.log(`\n${vectors.length} vectors; of the 50 nearest ones the sign bits find`);
  console.log(`  ${share.toFixed(3)}, and ${hitShare.toFixed(3)} of those that are hits`);
}

async function embedAll(
  provider: Provider,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const { signal } = new AbortController();
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += INPUTS) {
    const inputs = texts.slice(from, from + INPUTS);
    const answer = await provider.embed(inputs, { maxMs: CALL_MS, signal });
    if (!("vectors" in answer)) throw new Error(`the provider answered ${JSON.stringify(answer)}`);
    vectors.push(...answer.vectors);
  }
  return vectors;
}
