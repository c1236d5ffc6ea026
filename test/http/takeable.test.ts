import fc from "fast-check";
import { expect, test } from "vitest";
import { assignIssue } from "../../src/contract/actions.ts";
import { acquireIssueLease, takeReadyIssue } from "../../src/contract/leases.ts";
import { readyIssues, readyIssuesGlobal } from "../../src/contract/search.ts";
import { takeRank } from "../../src/contract/take-order.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const issue = fc.record(
  {
    priority: fc.integer({ min: 0, max: 4 }),
    owner: fc.constantFrom("ann", "bea"),
    label: fc.constantFrom("bug", "ui"),
    leased: fc.constantFrom("ann", "bea", "over"),
    inShop: fc.boolean(),
  },
  { requiredKeys: [] },
);

const RUNS = { sqlite: 15, postgres: 4 };

describeStore("the ready issues that an actor may take", (open) => {
  test("have no owner or this actor as owner, and no live lease", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(issue, { minLength: 1, maxLength: 20 }), async (given) => {
        const w = await world({ store: open });
        const { web, leased } = await filled(w, given);
        for (const by of ["ann", "cid"]) {
          for (const filter of [{}, { label: ["bug"] }, { unowned: true }, { owner: "bea" }]) {
            const query = { ...filter, takeable_by: by };
            const asked = async (more: object) =>
              (await w.call(readyIssues, { params: web.path, query: { ...query, ...more } }))
                .issues;
            const all = (await w.call(readyIssues, { params: web.path, query: filter })).issues;
            const may = all.filter(
              ({ uid, owner }) => (owner === undefined || owner === by) && !leased.has(uid),
            );
            expect(uids(await asked({}))).toEqual(uids(may));
            const best = [...may].sort((a, b) => takeRank(a) - takeRank(b));
            expect(uids(await asked({ order: "take" }))).toEqual(uids(best));
            expect(uids(await asked({ order: "take", limit: 1 }))).toEqual(uids(best).slice(0, 1));
            const everywhere = await w.call(readyIssuesGlobal, {
              query: { ...query, order: "take" },
            });
            const [first] = everywhere.issues;
            const one = await w.call(readyIssuesGlobal, {
              query: { ...query, order: "take", limit: 1 },
            });
            expect(uids(one.issues)).toEqual(first === undefined ? [] : [first.uid]);
          }
        }
      }),
      { numRuns: RUNS[open.dialect] },
    );
  });

  test("are listed in the order in which takes choose them", async () => {
    const w = await world({ store: open });
    const web = await w.given.project();
    for (const priority of [2, 0, 3]) await w.given.issue({ project: web, priority });
    const urgent = await w.given.issue({ project: web, priority: 0, owner: "bea" });
    const priorities: (number | undefined)[] = [];
    for (;;) {
      const query = { order: "take", limit: 1, takeable_by: "ann", unowned: true } as const;
      const [offered] = (await w.call(readyIssues, { params: web.path, query })).issues;
      const { issue: taken } = await w.call(takeReadyIssue, { params: web.path, actor: "ann" });
      expect(taken?.uid).toBe(offered?.uid);
      expect(taken?.uid).not.toBe(urgent.uid);
      if (taken === null) break;
      priorities.push(taken.priority);
    }
    expect(priorities).toEqual([0, 2, 3]);
  });

  test("are refused for the past, where nobody can take anything", async () => {
    const w = await world({ store: open });
    const web = await w.given.project();
    const query = { takeable_by: "ann", at: w.clock.now() };
    expect(await w.refused(readyIssues, { params: web.path, query })).toMatchObject({
      code: "validation",
      message: "takeable_by and at exclude each other",
    });
    const blank = { takeable_by: " " };
    expect(await w.refused(readyIssues, { params: web.path, query: blank })).toMatchObject({
      code: "validation",
    });
  });
});

type Listed = readonly { readonly uid: string }[];

function uids(issues: Listed): readonly string[] {
  return issues.map(({ uid }) => uid);
}

async function filled(
  w: World,
  issues: readonly (typeof issue extends fc.Arbitrary<infer I> ? I : never)[],
) {
  const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
  const leased = new Set<string>();
  for (const { priority, owner, label, leased: holder, inShop } of issues) {
    const labels = label === undefined ? {} : { labels: [label] };
    const rank = priority === undefined ? {} : { priority };
    const made = await w.given.issue({ project: inShop === true ? shop : web, ...rank, ...labels });
    if (owner !== undefined) await w.call(assignIssue, { params: made.path, body: { owner } });
    if (holder === undefined) continue;
    const over = holder === "over";
    const ttl_seconds = over ? 60 : 3600;
    await w.call(acquireIssueLease, {
      params: made.path,
      body: { claim_kind: "timed", ttl_seconds },
      actor: over ? "bea" : holder,
    });
    if (!over) leased.add(made.uid);
  }
  w.clock.advance(61_000);
  return { web, leased };
}
