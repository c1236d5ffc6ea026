import { expect, onTestFinished, test } from "vitest";
import { searchIssues } from "../../src/contract/search.ts";
import { wordsOf } from "../../src/domain/words.ts";
import { stemOf } from "../../src/store/text/stem.ts";
import { describeStore } from "../support/store.ts";
import { startProvider } from "./provider/start-provider.ts";
import { routedMeaning } from "./routed.ts";

const DIMS = 768;

/** Queries, and titles of issues that mean the same. */
const PARAPHRASES = [
  ["pages are slow to open", "latency of the website"],
  ["handset rings twice", "mobile plays its tone again"],
  ["receipt for March", "invoices of last spring"],
] as const;
const OTHERS = ["colour of the logo", "archive old projects", "translate help into German"];

describeStore("a paraphrase that shares no word with an issue", (open) => {
  test("finds it by meaning and not by words, with a provider in a process of its own", async () => {
    const provider = await startProvider();
    onTestFinished(provider.close);
    const { w, sweep } = await routedMeaning(open, {
      settings: { baseUrl: provider.baseUrl, dims: DIMS },
    });
    const project = await w.given.project();
    for (const title of [...PARAPHRASES.map(([, meant]) => meant), ...OTHERS])
      await w.given.issue({ project, title });
    await sweep();
    await sweep();
    const found = async (q: string, mode: "lexical" | "hybrid" | "semantic") => {
      const asked = { params: project.path, query: { q, mode } };
      const { results } = await w.call(searchIssues, asked);
      return results.map(({ issue, matched_in }) => `${issue.title}: ${matched_in.join()}`);
    };
    for (const [query, meant] of PARAPHRASES) {
      const stems = new Set(wordsOf(meant).map(stemOf));
      expect(wordsOf(query).filter((word) => stems.has(stemOf(word)))).toEqual([]);
      expect(await found(query, "lexical")).toEqual([]);
      expect(await found(query, "semantic")).toEqual([`${meant}: semantic`]);
      expect(await found(query, "hybrid")).toEqual([`${meant}: semantic`]);
    }
    expect((await provider.state.inputs()).length).toBeGreaterThan(PARAPHRASES.length);
  });
});
