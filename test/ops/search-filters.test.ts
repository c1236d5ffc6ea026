import { expect, test } from "vitest";
import { NeedsWorker } from "../../src/base/budget.ts";
import { addLabel } from "../../src/contract/labels.ts";
import type { Input } from "../../src/contract/route.ts";
import type { searchIssues as contract } from "../../src/contract/search.ts";
import { beginMeaning } from "../../src/ops/search/meaning.ts";
import { searchIssues } from "../../src/ops/search/search.ts";
import type { SemanticSearch } from "../../src/ops/search/semantic.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const UNTIL_MS = 3000;

type Query = Partial<Input<typeof contract>["query"]>;

/** 60 issues that all are near the query. Every sixth has the label `wanted`, every fourth `unwanted`. */
async function stocked(open: OpenTestStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const issues: Awaited<ReturnType<typeof w.given.issue>>[] = [];
  const uids: string[] = [];
  for (let number = 0; number < 60; number++) {
    const issue = await w.given.issue({ project, ...(number < 30 ? { owner: "ann" } : {}) });
    const label = async (name: string) =>
      await w.call(addLabel, { params: issue.path, body: { label: name } });
    if (number % 6 === 0) await label("wanted");
    if (number % 4 === 0) await label("unwanted");
    issues.push(issue);
    uids.push(issue.uid);
  }
  const asks: Parameters<SemanticSearch["nearest"]>[0][] = [];
  const semantic: SemanticSearch = {
    embed: async () => ({ vector: Float32Array.of(1), until_ms: UNTIL_MS }),
    nearest: async (ask) => {
      asks.push(ask);
      const among = ask.among ?? uids;
      const all = uids.filter((uid) => among.includes(uid));
      const hits = all.slice(0, ask.limit).map((issue_uid) => ({ issue_uid, cosine: 0.9 }));
      return { hits, exhausted: hits.length === all.length };
    },
  };
  const search = async (
    query: Query,
    fewIssues?: number,
    store: Pick<AdminStore, "read" | "leaseNow"> = w.store,
  ) => {
    const input = {
      params: project.path,
      query: { q: "owl", mode: "semantic", ...query } as const,
      headers: {},
      body: {},
    };
    const at = { configured: true, readonly: false };
    const few = fewIssues === undefined ? {} : { fewIssues };
    const begun = await beginMeaning({ store, semantic, at, ...few }, input);
    const { results } = await searchIssues(
      { store: w.store, ...begun },
      { kind: "none", local: true },
      input,
    );
    return results.map(({ issue }) => uids.indexOf(issue.uid));
  };
  return { w, search, asks, issues };
}

describeStore("the filters of a search by meaning", (open) => {
  const FILTER = { label: ["WANTED"], exclude_label: ["unwanted"] };
  const KEPT = [6, 18, 30, 42, 54];

  test("apply before the limit, so that all issues that match are found", async () => {
    const { search, asks } = await stocked(open);
    expect(await search({ ...FILTER, limit: 5 })).toEqual(KEPT);
    expect(asks).toHaveLength(1);
    expect(asks[0]?.among).toHaveLength(5);
    expect(await search({ ...FILTER, owner: "ann" })).toEqual([6, 18]);
  });

  test("are asked of the index for few issues, and of its hits for many", async () => {
    const { search, asks } = await stocked(open);
    for (const [fewIssues, isFew] of [
      [6, true],
      [5, false],
      [4, false],
    ] as const) {
      asks.length = 0;
      expect(await search({ ...FILTER, limit: 5 }, fewIssues)).toEqual(KEPT);
      expect(asks.map(({ among, limit }) => [among?.length, limit])).toEqual(
        isFew
          ? [[5, 5]]
          : [
              [undefined, 5],
              [undefined, 20],
              [undefined, 80],
            ],
      );
      expect(asks.every(({ until_ms }) => until_ms === UNTIL_MS)).toBe(true);
    }
  });

  test("are asked of the hits if selecting the issues is too much work for the thread of the daemon", async () => {
    const { w, search, asks } = await stocked(open);
    let reads = 0;
    const busy = {
      leaseNow: async () => await w.store.leaseNow(),
      read: async <T>(work: Parameters<typeof w.store.read<T>>[0]): Promise<T> => {
        reads += 1;
        if (reads === 2) throw new NeedsWorker();
        return await w.store.read(work);
      },
    };
    expect(await search({ ...FILTER, limit: 2 }, undefined, busy)).toEqual([6, 18]);
    expect(asks.every(({ among }) => among === undefined)).toBe(true);
  });

  test("that select no issue need no look into the index", async () => {
    const { search, asks } = await stocked(open);
    expect(await search({ label: ["nobody has it"] })).toEqual([]);
    expect(asks).toEqual([]);
  });

  test("that are absent make no search short, although the index still has deleted issues", async () => {
    const { w, search, asks, issues } = await stocked(open);
    for (const issue of issues.slice(0, 3)) await w.given.deleted(issue);
    expect(await search({ limit: 3 })).toEqual([3, 4, 5]);
    expect(asks.map(({ among, limit }) => [among, limit])).toEqual([
      [undefined, 3],
      [undefined, 12],
    ]);
  });

  test("are absent from a search for deleted issues too, since the index has none", async () => {
    const { search, asks } = await stocked(open);
    expect(await search({ include_deleted: true, limit: 3 })).toEqual([0, 1, 2]);
    expect(asks[0]).not.toHaveProperty("among");
  });
});
