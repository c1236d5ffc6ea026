import { expect, onTestFinished, test } from "vitest";
import { showEmbeddings } from "../../src/contract/embeddings.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { cosine, normalised } from "../../src/domain/meaning/vectors.ts";
import { created, projectCreated, uid } from "../store/drafts.ts";
import { P } from "../store/random-events.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { serveProvider } from "./provider/server.ts";
import { ProviderState } from "./provider/state.ts";
import { vectorOfText } from "./provider/vectors.ts";
import { settingsOf } from "./support.ts";

const DIMS = 16;
/** Up to one fewer, the thread is handed the uids of the issues that match the filters. */
const FEW = 5000;
const LIMIT = 200;
const QUERY = "which one";

const vectorOf = (text: string) =>
  normalised(vectorOfText(text, "random", DIMS), DIMS) as Float32Array;

/** A world with the routes of a daemon, and three labels that 4,999, 5,000 and 5,001 of its issues have. */
async function labelled(open: OpenTestStore) {
  const database = await open.database();
  const state = new ProviderState();
  state.behave({ dims: DIMS, kind: "random" });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const settings = settingsOf(baseUrl, { dims: DIMS, batchSize: 500 });
  const w = await world({
    store: async (options) => await database.open(options),
    meaning: { settings, database: database.target },
  });
  const issues = Array.from({ length: FEW + 2 }, (_, at) => {
    const labels = [4999, 5000, 5001].filter((many) => at < many).map((many) => `of-${many}`);
    return created(P, uid(1000 + at), { title: `issue ${at}`, labels });
  });
  await w.store.write(async (tx) => await tx.appendAll([projectCreated(P, "web"), ...issues]));
  const meaning = await w.meaning?.get();
  onTestFinished(async () => await meaning?.stop());
  const [engine] = meaning?.engines ?? [];
  const { signal } = new AbortController();
  const bulk = async () => await Promise.reject(new Error("nothing is written to the tables"));
  const sweep = async () => {
    await w.store.elect("embeddings");
    return await engine?.sweep({ store: w.store, term: undefined, bulk, signal });
  };
  const backlog = async () => (await w.call(showEmbeddings)).backlog;
  while ((await sweep()) === 0 || (await backlog()) !== 0) w.clock.advance(1000);
  return { w, state };
}

/** The titles of the nearest of the first `many` issues, by comparing each of them. */
function nearest(many: number): readonly string[] {
  const query = vectorOf(QUERY);
  return Array.from({ length: many }, (_, at) => `issue ${at}`)
    .map((title) => ({ title, near: cosine(query, vectorOf(title)) }))
    .filter(({ near }) => near >= 0.3)
    .sort((a, b) => b.near - a.near)
    .slice(0, LIMIT)
    .map(({ title }) => title);
}

describeStore("a search by meaning with a filter", (open) => {
  test("gives a full page of the nearest issues, whether 4,999, 5,000 or 5,001 issues match", async () => {
    const { w, state } = await labelled(open);
    state.forgetCalls();
    const params = { project_id: 1 };
    for (const many of [4999, 5000, 5001]) {
      const query = { q: QUERY, mode: "semantic" as const, limit: LIMIT, label: [`of-${many}`] };
      const { results } = await w.call(searchIssues, { params, query });
      expect(results.map(({ issue }) => issue.title)).toEqual(nearest(many));
      const others = { ...query, label: [], exclude_label: [`of-${many}`] };
      const left = await w.call(searchIssues, { params, query: others });
      const rest = Array.from({ length: FEW + 2 - many }, (_, at) => `issue ${many + at}`);
      expect(rest).toEqual(expect.arrayContaining(left.results.map(({ issue }) => issue.title)));
    }
    // The vector of the query is remembered.
    expect(state.inputs()).toEqual([QUERY]);
  }, 300_000);
});
