import { expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import { addLabel } from "../../src/contract/labels.ts";
import type { Input } from "../../src/contract/route.ts";
import type { searchIssues as contract } from "../../src/contract/search.ts";
import { UNAVAILABLE, type UnavailableReason } from "../../src/domain/meaning/unavailable.ts";
import { beginMeaning } from "../../src/ops/search/meaning.ts";
import { searchIssues } from "../../src/ops/search/search.ts";
import type { SemanticHit, SemanticSearch } from "../../src/ops/search/semantic.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

type Query = Input<typeof contract>["query"];
type Asked = Parameters<SemanticSearch["nearest"]>[0] & { readonly text: string };
type Found = readonly SemanticHit[] | { readonly unavailable: UnavailableReason };

const VECTOR = Float32Array.of(1, 0);
const UNTIL_MS = 3000;

describeStore("search by meaning together with words", (open) => {
  async function stocked() {
    const w = await world({ store: open });
    const project = await w.given.project();
    const named = async (title: string) => await w.given.issue({ project, title });
    const [owl, both, near] = [
      await named("the owl"),
      await named("an owl"),
      await named("a bird"),
    ];
    const asked: Asked[] = [];
    const search = async (query: Partial<Query>, answer: Found | undefined) => {
      let text = "";
      const semantic: SemanticSearch = {
        embed: async (of) => {
          text = of;
          return { vector: VECTOR, until_ms: UNTIL_MS };
        },
        nearest: async (ask) => {
          asked.push({ ...ask, text });
          if (answer !== undefined && "unavailable" in answer) return answer;
          return { hits: answer ?? [], exhausted: true };
        },
      };
      const configured = answer !== undefined;
      const input = { params: project.path, query: { q: "owl", ...query }, headers: {}, body: {} };
      const begun = await beginMeaning(
        {
          store: w.store,
          semantic: configured ? semantic : undefined,
          at: { configured, readonly: false },
        },
        input,
      );
      const found = await searchIssues(
        { store: w.store, ...begun },
        { kind: "none", local: true },
        input,
      );
      const results = found.results.map(({ issue, ...hit }) => ({ uid: issue.uid, ...hit }));
      return { ...found, results };
    };
    const hit = (issue: { uid: string }, cosine: number) => ({ issue_uid: issue.uid, cosine });
    return { w, project, owl, both, near, asked, search, hit };
  }

  test("a search combines hits by words and by meaning into one ranking, and says how each hit was found", async () => {
    const { both, owl, near, search, hit, asked, project } = await stocked();
    const found = await search({ limit: 3 }, [hit(both, 0.9), hit(near, 0.3)]);
    expect(found).toMatchObject({ query: "owl", mode: "hybrid" });
    expect(found).not.toHaveProperty("degraded");
    const [first, ...others] = found.results;
    expect(first).toMatchObject({ uid: both.uid, matched_in: ["title", "semantic"] });
    expect(others.map(({ uid, matched_in }) => [uid, matched_in])).toEqual(
      expect.arrayContaining([
        [owl.uid, ["title"]],
        [near.uid, ["semantic"]],
      ]),
    );
    expect(asked).toMatchObject([
      { project_uid: project.uid, text: "owl", vector: VECTOR, until_ms: UNTIL_MS, limit: 50 },
    ]);
    expect((await search({ limit: 1 }, [hit(both, 0.9)])).results).toHaveLength(1);
  });

  test("a search orders hits of the same score by their last change", async () => {
    const { w, owl, near, search, hit } = await stocked();
    w.clock.advance(1000);
    await w.call(addLabel, { params: near.path, body: { label: "late" } });
    const found = await search({ q: "the", mode: "hybrid" }, [hit(near, 0.9)]);
    expect(found.results.map(({ uid }) => uid)).toEqual([near.uid, owl.uid]);
    expect(found.results[0]?.score).toBe(found.results[1]?.score);
  });

  test("a search by meaning alone scores by similarity, and omits hits that are too far away", async () => {
    const { owl, near, search, hit } = await stocked();
    const found = await search({ mode: "semantic" }, [hit(near, 0.8), hit(owl, 0.2999)]);
    expect(found).toMatchObject({
      mode: "semantic",
      results: [{ uid: near.uid, score: 0.8, matched_in: ["semantic"] }],
    });
    expect((await search({ mode: "semantic" }, [])).results).toEqual([]);
  });

  test.each([
    [undefined, 20],
    [0, 20],
    [-1, 20],
    [199, 199],
    [200, 200],
    [1000, 200],
  ])("a search with a limit of %s asks the index for %i hits", async (limit, asks) => {
    const { search, asked } = await stocked();
    await search({ mode: "semantic", ...(limit === undefined ? {} : { limit }) }, []);
    expect(asked).toMatchObject([{ limit: asks }]);
  });

  test("a search omits issues that are in the index but not in the project", async () => {
    const { w, near, search, hit } = await stocked();
    await w.given.deleted(near);
    const away = await w.given.issue({ project: await w.given.project("other"), title: "a jay" });
    const gone = { issue_uid: w.ids.ulid(), cosine: 0.9 };
    const query = { mode: "semantic", include_deleted: true } as const;
    expect((await search(query, [hit(near, 0.9), hit(away, 0.9), gone])).results).toEqual([]);
  });

  test.each([
    ["lexical", undefined, "lexical"],
    ["lexical", [], "lexical"],
    ["auto", undefined, "lexical"],
    ["", [], "hybrid"],
    ["auto", [], "hybrid"],
    ["hybrid", [], "hybrid"],
    ["semantic", [], "semantic"],
  ] as const)(
    "a search in mode %j with the index's answer %j is reported as %s",
    async (mode, answer, effective) => {
      const { search } = await stocked();
      const found = await search({ mode }, answer === undefined ? undefined : [...answer]);
      expect(found.mode).toBe(effective);
      expect(found).not.toHaveProperty("degraded");
    },
  );

  test("a search without an index falls back to words in mode auto and says so, but is refused in mode hybrid or semantic", async () => {
    const { search, asked } = await stocked();
    const unavailable = "no_generation";
    const reason = UNAVAILABLE[unavailable];
    const found = await search({}, { unavailable });
    expect(found).toMatchObject({ mode: "lexical", degraded: true, degraded_reason: reason });
    expect(found.results).toHaveLength(2);
    for (const mode of ["hybrid", "semantic"] as const) {
      const refused = search({ mode }, { unavailable });
      await expect(refused).rejects.toThrow(SvcError);
      await expect(refused).rejects.toMatchObject({ code: "unavailable", message: reason });
    }
    const before = asked.length;
    expect(await search({ mode: "lexical" }, { unavailable })).not.toHaveProperty("degraded");
    expect(asked).toHaveLength(before);
  });
});
