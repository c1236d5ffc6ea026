import { expect, test } from "vitest";
import { systemIds } from "../../src/base/ids.ts";
import { searchIssues } from "../../src/ops/search/search.ts";
import type { Store } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import { corpus, importCorpus } from "./corpus.ts";
import { judged, mean, recall } from "./judged.ts";

const TIMEOUT_MS = 300_000;
const ids = systemIds();

async function answers(store: Store, queries: readonly string[], issues = corpus()) {
  const { project_id, idOf } = await importCorpus({ store, ids }, issues);
  const found = new Map<string, readonly string[]>();
  for (const q of queries) {
    const { results } = await searchIssues(
      { store },
      { kind: "none", local: true },
      { params: { project_id }, headers: {}, query: { q }, body: {} },
    );
    found.set(
      q,
      results.map(({ issue, matched }) => `${idOf.get(issue.uid) ?? ""} ${matched}`),
    );
  }
  return found;
}

/**
 * The first queries were judged by somebody who knew the ranking, the second ones by somebody who did not (README.md).
 */
const FILES = [
  ["queries.json", 0.4],
  ["blind-queries.json", 0.25],
] as const;

describeStore("search over many real issues", (open) => {
  test.each(FILES)(
    "finds the expected issues for the queries of %s",
    { timeout: TIMEOUT_MS },
    async (file, paraphrases) => {
      const queries = judged(file);
      const found = await answers(
        await open(),
        queries.map(({ query }) => query),
      );
      const recalls = (isParaphrase: boolean) =>
        queries
          .filter(({ kind }) => (kind === "paraphrase") === isParaphrase)
          .map((query) => {
            const hits = found.get(query.query) ?? [];
            return recall(
              query,
              hits.map((hit) => hit.split(" ")[0] ?? ""),
              10,
            );
          });
      expect(mean(recalls(false))).toBeGreaterThanOrEqual(0.9);
      expect(mean(recalls(true))).toBeGreaterThanOrEqual(paraphrases);
    },
  );
});

/** Every fifth issue and query. Both databases must give the same answers in the same order. */
const SOME = 5;
const seen: ReadonlyMap<string, readonly string[]>[] = [];

describeStore("search over a few real issues", (open) => {
  test("answers the same on both databases", { timeout: TIMEOUT_MS }, async () => {
    const queries = judged("queries.json").filter((_, at) => at % SOME === 0);
    const issues = corpus().filter((_, at) => at % SOME === 0);
    seen.push(
      await answers(
        await open(),
        queries.map(({ query }) => query),
        issues,
      ),
    );
    expect(seen.at(-1)).toEqual(seen[0]);
  });
});
