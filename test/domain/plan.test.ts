import fc from "fast-check";
import { expect, test } from "vitest";
import { creationOrder, type PlanNode, planEdges, planFaults } from "../../src/domain/plan.ts";

const faultsOf = (nodes: readonly PlanNode[]) =>
  planFaults(nodes, planEdges(nodes)).map(({ field, message }) => `${field}: ${message}`);

test.each<[string, readonly PlanNode[], readonly string[]]>([
  ["no links", [{ name: "a" }, { name: "b" }], []],
  ["a chain", [{ name: "a", blocks: ["b"] }, { name: "b", blocks: ["c"] }, { name: "c" }], []],
  [
    "a diamond",
    [
      { name: "a", blocks: ["b", "c"] },
      { name: "b", blocks: ["d"] },
      { name: "c", blocks: ["d"] },
      { name: "d" },
    ],
    [],
  ],
  [
    "the same link stated at both ends",
    [
      { name: "a", blocks: ["b"] },
      { name: "b", blocked_by: ["a"] },
    ],
    [],
  ],
  [
    "a circle stated at different ends",
    [{ name: "a", blocks: ["b"] }, { name: "b" }, { name: "c", blocked_by: ["b"], blocks: ["a"] }],
    ["issues[2].blocks[0]: would create a circle of blockers: a → b → c → a"],
  ],
  [
    "a circle through a parent link and a blocker",
    [
      { name: "a", parent: "b" },
      { name: "b", blocks: ["a"] },
    ],
    [],
  ],
  [
    "its own parent",
    [{ name: "a", parent: "a" }],
    ["issues[0].parent: a cannot be linked to itself"],
  ],
  [
    "a circle that other issues lead to",
    [
      { name: "x", blocks: ["a"] },
      { name: "a", blocks: ["b"] },
      { name: "b", blocks: ["a"] },
    ],
    ["issues[2].blocks[0]: would create a circle of blockers: a → b → a"],
  ],
  [
    "two circles",
    [
      { name: "a", parent: "b" },
      { name: "b", parent: "a" },
      { name: "c", blocks: ["d"] },
      { name: "d", blocks: ["c"] },
    ],
    [
      "issues[1].parent: would create a circle of parents: a → b → a",
      "issues[3].blocks[0]: would create a circle of blockers: c → d → c",
    ],
  ],
])("a plan with %s has the expected faults", (_, nodes, faults) => {
  expect(faultsOf(nodes)).toEqual(faults);
});

test("a plan is found to have a circle exactly if its issues cannot be put in an order", () => {
  const links = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 });
  fc.assert(
    fc.property(links, (pairs) => {
      const nodes = Array.from({ length: 8 }, (_, at) => ({
        name: `n${at}`,
        blocks: pairs.filter(([from, to]) => from === at && to !== at).map(([, to]) => `n${to}`),
      }));
      expect(faultsOf(nodes).length > 0).toBe(!hasOrder(nodes));
    }),
    { numRuns: 500 },
  );
});

/** Removes repeatedly the nodes that no other node blocks. If some remain, they form a circle. */
function hasOrder(nodes: readonly { name: string; blocks: readonly string[] }[]): boolean {
  let left = nodes;
  for (;;) {
    const blocked = new Set(left.flatMap(({ blocks }) => blocks));
    const rest = left.filter(({ name }) => blocked.has(name));
    if (rest.length === 0) return true;
    if (rest.length === left.length) return false;
    left = rest;
  }
}

test("a plan with a chain of 5,000 issues is accepted, in any order of the issues", () => {
  const chain = Array.from({ length: 5000 }, (_, at) => ({
    name: `n${at}`,
    ...(at === 4999 ? {} : { parent: `n${at + 1}`, blocks: [`n${at + 1}`] }),
  }));
  expect(faultsOf(chain)).toEqual([]);
  const order = creationOrder(chain).map(({ name }) => name);
  expect(order).toEqual(chain.map(({ name }) => name).toReversed());
});

test("parents are created before their children, and the other issues in the order of the plan", () => {
  const nodes = [
    { name: "a", parent: "b" },
    { name: "c" },
    { name: "b", parent: "elsewhere" },
    { name: "d", parent: "a" },
  ];
  expect(creationOrder(nodes).map(({ name }) => name)).toEqual(["b", "a", "c", "d"]);
});
