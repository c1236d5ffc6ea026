import { expect, test } from "vitest";
import { systemIds } from "../../src/base/ids.ts";
import type { Output } from "../../src/contract/route.ts";
import type { searchIssues as contract } from "../../src/contract/search.ts";
import { beginMeaning } from "../../src/ops/search/meaning.ts";
import { searchIssues } from "../../src/ops/search/search.ts";
import type { SemanticSearch } from "../../src/ops/search/semantic.ts";
import type { VectorKind } from "../meaning/provider/vectors.ts";
import { type MeaningWorld, meaningWorld } from "../meaning/world.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { importCorpus } from "./corpus.ts";
import { type Judged, judged, mean, recall } from "./judged.ts";

const TIMEOUT_MS = 600_000;
const QUERIES = [...judged("queries.json"), ...judged("blind-queries.json")];

/**
 * What the provider knows: words that mean the same, or nothing. Vectors of few random numbers are noise that is near
 * enough to some queries to be a hit.
 */
const PROVIDERS = [
  { kind: "meaning", dims: 768 },
  { kind: "random", dims: 64 },
] as const satisfies readonly { readonly kind: VectorKind; readonly dims: number }[];
type Vectors = (typeof PROVIDERS)[number];

/** How much of the mean recall among the first ten hits noise may cost. */
const MOST_LOSS = 0.02;

type Results = Output<typeof contract>["results"];

/** The real issues in a database, and searches of them by words or by both. */
async function judgedWorld(open: OpenTestStore) {
  const world = await meaningWorld(open);
  const { store } = world.w;
  const { project_id, idOf } = await importCorpus({ store, ids: systemIds() });
  const search = async (q: string, semantic?: SemanticSearch): Promise<Results> => {
    const query = { q, mode: semantic === undefined ? "lexical" : "hybrid" } as const;
    const input = { params: { project_id }, headers: {}, query, body: {} };
    const at = { configured: semantic !== undefined, readonly: false };
    const begun = await beginMeaning({ store, semantic, at }, input);
    return (await searchIssues({ store, ...begun }, { kind: "none", local: true }, input)).results;
  };
  const idsOf = (results: Results): readonly string[] =>
    results.map(({ issue }) => idOf.get(issue.uid) ?? "");
  return { world, search, idsOf };
}

/** Fills the index with the vectors of such a provider. */
async function filled({ state, start }: MeaningWorld, { kind, dims }: Vectors) {
  state.behave({ kind, dims });
  const meaning = start({ dims, salt: kind });
  await meaning.fill();
  return meaning;
}

/** The first five hits by words that are more than one place lower in the other list. */
function lowered(byWords: readonly string[], both: readonly string[]): readonly string[] {
  return byWords.slice(0, 5).filter((id, at) => both.indexOf(id) > at + 1 || !both.includes(id));
}

describeStore("search by words and by meaning over many real issues", (open) => {
  test("ranks none of the first five hits by words more than one place lower, whatever the provider knows", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { world, search, idsOf } = await judgedWorld(open);
    const byWords = new Map<string, readonly string[]>();
    for (const { query } of QUERIES) byWords.set(query, idsOf(await search(query)));
    const wordsOf = ({ query }: Judged) => byWords.get(query) ?? [];
    const recallByWords = mean(QUERIES.map((one) => recall(one, wordsOf(one), 10)));
    for (const vectors of PROVIDERS) {
      const meaning = await filled(world, vectors);
      const recalls: number[] = [];
      let near = 0;
      for (const one of QUERIES) {
        const results = await search(one.query, meaning.search);
        near += results.filter(({ matched_in }) => matched_in.includes("semantic")).length;
        const both = idsOf(results);
        expect(lowered(wordsOf(one), both), `${vectors.kind}: ${one.query}`).toEqual([]);
        recalls.push(recall(one, both, 10));
      }
      expect(near).toBeGreaterThan(QUERIES.length);
      expect(mean(recalls)).toBeGreaterThanOrEqual(recallByWords - MOST_LOSS);
      await meaning.stop();
    }
  });
});
