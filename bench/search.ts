/**
 * Measures the search of svc and simpler methods with the judged queries of test/search on the same issues: the share
 * of the right answers among the first 1, 5 and 10 results, and the processor time. Then it measures the processor time
 * of svc with many issues, which are copies of the same issues. With the DSN of an empty PostgreSQL database it also
 * measures svc with as many issues there, and the time until each answer.
 *
 * npm run bench -- search [issues] [rounds] [postgres DSN]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { searchIssues } from "../src/ops/search/search.ts";
import { openStore } from "../src/store/open.ts";
import type { Store } from "../src/store/types/store.ts";
import { type CorpusIssue, corpus, importCorpus } from "../test/search/corpus.ts";
import { judged, mean, recall } from "../test/search/judged.ts";
import { percentile, timed } from "./support/figures.ts";

const ISSUES = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const SERVER = process.argv[4];
const FILES = ["queries.json", "blind-queries.json"] as const;

const COMMON_WORDS =
  "test daemon issue update fix add the and with session ended beads this from when check".split(
    " ",
  );
const COMMON = COMMON_WORDS.map((_, at) => COMMON_WORDS.slice(0, at + 1).join(" "));

/** Queries of common words joined by `-` or `/`. The search treats such words as a phrase, which costs more time. */
const JOINED = [
  "the-and to-of in-is it-for",
  "issue/test/daemon/fix the/and/with",
  "a-".repeat(4000),
];

type SearchMethod = (query: string) => Promise<readonly string[]>;

const ids = systemIds();
const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-search-"));
const issues = corpus();
await withStore("small.db", issues, async (store, project_id, idOf) => {
  const ways: readonly (readonly [string, SearchMethod])[] = [
    ["all words as typed", fts5("unicode61", "AND")],
    ["`grep -i`, each word", grepSearch()],
    ["FTS5, any word, BM25", fts5("unicode61", "OR")],
    ["the same by stems", fts5("porter unicode61", "OR")],
    ["svc", svcSearch(store, project_id, idOf)],
  ];
  for (const file of FILES) {
    const all = judged(file);
    const kinds = new Map([
      ["all but paraphrases", all.filter(({ kind }) => kind !== "paraphrase")],
      ...Map.groupBy(all, ({ kind }) => kind),
    ]);
    for (const [kind, queries] of kinds) {
      console.log(`\n${file}: ${queries.length} queries, ${kind}`);
      for (const [name, way] of ways) {
        const answers = new Map<string, readonly string[]>();
        const times = await cpuTimes(
          queries.map(({ query }) => query),
          async (query) => answers.set(query, await way(query)),
        );
        const at = [1, 5, 10].map((most) =>
          mean(queries.map((one) => recall(one, answers.get(one.query) ?? [], most))).toFixed(2),
        );
        console.log(`  ${name.padEnd(24)} recall@1, 5, 10 ${at.join("  ")}  ${timesText(times)}`);
      }
    }
  }
});
const repeated = Array.from({ length: ISSUES }, (_, n): CorpusIssue => {
  const issue = issues[(n * 7919) % issues.length] ?? { id: "", title: "" };
  const body = `${issue.body ?? ""} common id${n % 5000}`;
  return { ...issue, id: `${issue.id}-${n}`, title: `${issue.title} n${n}`, body };
});
for (const target of SERVER === undefined ? ["large.db"] : ["large.db", SERVER]) {
  await withStore(target, repeated, async (store, project_id, idOf) => {
    console.log(`\n${ISSUES} issues, ${target === SERVER ? "PostgreSQL" : "SQLite"}`);
    const way = svcSearch(store, project_id, idOf);
    const sets = FILES.map((file) => [file, judged(file).map(({ query }) => query)] as const);
    for (const [name, queries] of [
      ...sets,
      ["common words", COMMON],
      ["joined", JOINED],
    ] as const) {
      const processor = await cpuTimes(queries, way);
      const waited =
        target === SERVER ? `  waited: ${timesText(await waitTimes(queries, way))}` : "";
      console.log(`  ${name.padEnd(24)} ${timesText(processor)}${waited}`);
    }
  });
}
rmSync(folder, { recursive: true });

async function withStore(
  target: string,
  given: readonly CorpusIssue[],
  work: (store: Store, project_id: number, idOf: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  const dsn = target === SERVER ? target : path.join(folder, target);
  const store = await openStore({ dsn, clock: systemClock, ids, timezone: "UTC" });
  const { project_id, idOf } = await importCorpus({ store, ids }, given);
  await work(store, project_id, idOf);
  await store.close();
}

function svcSearch(
  store: Store,
  project_id: number,
  idOf: ReadonlyMap<string, string>,
): SearchMethod {
  return async (q) => {
    const asked = { params: { project_id }, headers: {}, query: { q, limit: 10 }, body: {} };
    const { results } = await searchIssues({ store }, { kind: "none", local: true }, asked);
    return results.map(({ issue }) => idOf.get(issue.uid) ?? "");
  };
}

function fts5(tokenizer: string, sign: "AND" | "OR"): SearchMethod {
  const database = new Sqlite(":memory:");
  database.exec(`create virtual table text using fts5(title, body, tokenize = '${tokenizer}')`);
  const put = database.prepare("insert into text (rowid, title, body) values (?, ?, ?)");
  for (const [at, { title, body = "" }] of issues.entries()) put.run(at + 1, title, body);
  const find = database
    .prepare<[string], number>("select rowid from text where text match ? order by rank limit 10")
    .pluck();
  return async (query) => {
    const words = wordsOf(query).map((word) => `"${word.replaceAll('"', '""')}"`);
    const found = words.length === 0 ? [] : find.all(words.join(` ${sign} `));
    return found.map((rowid) => issues[rowid - 1]?.id ?? "");
  };
}

/** Finds what `grep -i one | grep -i two` finds, with one line for each issue. */
function grepSearch(): SearchMethod {
  const lines = issues.map(({ title, body = "" }) => `${title} ${body}`.toLowerCase());
  return async (query) => {
    const words = wordsOf(query).map((word) => word.toLowerCase());
    const found = issues.filter((_, at) => words.every((word) => lines[at]?.includes(word)));
    return found.slice(0, 10).map(({ id }) => id);
  };
}

function wordsOf(query: string): readonly string[] {
  return query.split(/\s+/u).filter((word) => word !== "");
}

/**
 * Returns for each query the least processor time of several rounds, in milliseconds. Other work on the machine can
 * only increase the time, so the least value is the most exact.
 */
async function cpuTimes(
  queries: readonly string[],
  way: (query: string) => Promise<unknown>,
): Promise<readonly number[]> {
  const least = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, query] of queries.entries()) {
      const before = process.cpuUsage();
      await way(query);
      const { user, system } = process.cpuUsage(before);
      least[at] = Math.min(least[at] ?? 0, (user + system) / 1000);
    }
  }
  return least;
}

/** Returns for each query the shortest time until its answer in several rounds, in milliseconds. */
async function waitTimes(
  queries: readonly string[],
  way: (query: string) => Promise<unknown>,
): Promise<readonly number[]> {
  const least = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, query] of queries.entries())
      least[at] = Math.min(least[at] ?? 0, await timed(async () => await way(query)));
  return least;
}

function timesText(times: readonly number[]): string {
  return `mean ${mean(times).toFixed(2)} ms  p99 ${percentile(times, 0.99).toFixed(2)} ms`;
}
