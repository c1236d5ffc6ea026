import fc from "fast-check";
import { expect, test } from "vitest";
import { firstOf } from "../../src/cli/fast-path/first.ts";
import { MAX_PRIORITY } from "../../src/contract/limits.ts";
import { readyIssues, readyIssuesGlobal } from "../../src/contract/search.ts";
import { PRIORITIES_BY_RANK, type Takeable, takeRank } from "../../src/contract/take-order.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const OWNERS = ["ann", "bea"];
const LABELS = ["bug", "ui", "db"];

const issue = fc.record(
  {
    priority: fc.integer({ min: 0, max: MAX_PRIORITY }),
    owner: fc.constantFrom(...OWNERS),
    labels: fc.uniqueArray(fc.constantFrom(...LABELS)),
    /** Which of the earlier issues is its parent, or blocks it. */
    parent: fc.nat(100),
    blocker: fc.nat(100),
    inShop: fc.boolean(),
    /** Issues with equal instants are ordered by id. */
    wait: fc.boolean(),
  },
  { requiredKeys: [] },
);
const filter = fc.record(
  {
    owner: fc.constantFrom(...OWNERS, "nobody"),
    unowned: fc.constant(true),
    label: fc.uniqueArray(fc.constantFrom(...LABELS), { maxLength: 2 }),
    exclude_label: fc.uniqueArray(fc.constantFrom(...LABELS), { maxLength: 1 }),
    containers: fc.boolean(),
  },
  { requiredKeys: [] },
);
const filters = filter
  .filter(({ owner, unowned }) => owner === undefined || unowned === undefined)
  .map((query) => Object.fromEntries(Object.entries(query)));

const RUNS = { sqlite: 12, postgres: 4 };

test("every priority occurs once in the list of ranks, in the order of its rank", () => {
  const ranks = PRIORITIES_BY_RANK.map((priority) => takeRank({ priority }));
  expect(ranks).toEqual(Array.from({ length: MAX_PRIORITY + 2 }, (_, rank) => rank));
});

describeStore("ready issues in the order in which takes choose them", (open) => {
  test("match the ready list sorted by rank, under all filters, now and in the past", {
    timeout: 120_000,
  }, async () => {
    const all = fc.array(issue, { minLength: 1, maxLength: 25 });
    const asked = fc.array(filters, { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(all, asked, async (issues, queries) => {
        const w = await world({ store: open });
        const { web, at } = await filled(w, issues);
        for (const given of queries) {
          for (const query of [given, { ...given, at }]) {
            const ready = await w.call(readyIssues, { params: web.path, query });
            const inProject = async (more: object) =>
              await w.call(readyIssues, { params: web.path, query: { ...query, ...more } });
            await expectOrder(ready.issues, inProject);
            const everywhere = await w.call(readyIssuesGlobal, { query });
            await expectOrder(
              everywhere.issues,
              async (more) => await w.call(readyIssuesGlobal, { query: { ...query, ...more } }),
            );
          }
        }
      }),
      { numRuns: RUNS[open.dialect] },
    );
  });

  test("come with the name of their order only if the request named one", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    for (const order of ["take", "recent"] as const) {
      expect(await w.call(readyIssues, { params, query: { order } })).toEqual({
        issues: [],
        order,
      });
    }
    expect(await w.call(readyIssues, { params })).toEqual({ issues: [] });
    const wrong = await w.send(readyIssues, { params, query: { order: "rank" as never } });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ error: { code: "validation" } });
  });
});

interface Listed extends Takeable {
  readonly uid: string;
}

async function expectOrder(
  ready: readonly Listed[],
  ask: (query: object) => Promise<{ readonly issues: readonly Listed[] }>,
): Promise<void> {
  const uids = async (query: object) => (await ask(query)).issues.map(({ uid }) => uid);
  const byRank = [...ready].sort((a, b) => takeRank(a) - takeRank(b)).map(({ uid }) => uid);
  expect(await uids({ order: "take" })).toEqual(byRank);
  expect(await uids({ order: "take", limit: 3 })).toEqual(byRank.slice(0, 3));
  const first = firstOf(ready);
  expect(await uids({ order: "take", limit: 1 })).toEqual(first === undefined ? [] : [first.uid]);
}

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

async function filled(
  w: World,
  issues: readonly (typeof issue extends fc.Arbitrary<infer I> ? I : never)[],
) {
  const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
  const made: GivenIssue[] = [];
  for (const { parent, blocker, inShop, wait, ...fields } of issues) {
    if (wait === true) w.clock.advance(1000);
    const one = await w.given.issue({ project: inShop === true ? shop : web, ...fields });
    const [above, before] = [parent, blocker].map((at) =>
      at === undefined || made.length === 0 ? undefined : made[at % made.length],
    );
    if (above?.path.project_id === one.path.project_id) await w.given.link(one, "parent", above);
    if (before !== undefined && before !== above) await w.given.link(before, "blocks", one);
    made.push(one);
  }
  const at = w.clock.now();
  w.clock.advance(60_000);
  // Later changes must not affect the answer about that moment.
  const last = made.at(-1);
  if (last !== undefined) await w.given.closed(last);
  return { web, at };
}
