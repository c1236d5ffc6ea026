import { expect, test } from "vitest";
import type { Call, Outcome } from "./history.ts";
import { explainPlans, PLAN_ISSUES, type PlanAnswer, type PlanInput } from "./plan-model.ts";

type Row = readonly [invoked: number, returned: number, PlanInput, Outcome<PlanAnswer>];

const FOREVER = Number.POSITIVE_INFINITY;
const list: PlanInput = { op: "list" };
const apply = (plan: string): PlanInput => ({ op: "apply", plan });
const created = (count: number) => ({ answer: { created: count } });
const there = (issues: Readonly<Record<string, number>>) => ({ answer: { issues } });
const lost = { unknown: "the connection broke" };

function isExplained(rows: readonly Row[]): boolean {
  const calls = rows.map(
    ([invoked, returned, input, outcome], at): Call<PlanInput, PlanAnswer> => ({
      client: `c${at}`,
      ...{ input, invoked, returned, outcome },
    }),
  );
  return explainPlans(calls).linearizable;
}

test.each<readonly [string, readonly Row[]]>([
  [
    "a plan that is applied twice at the same time makes its issues once",
    [
      [1, 4, apply("p"), created(0)],
      [2, 3, apply("p"), created(PLAN_ISSUES)],
      [5, 6, list, there({ p: PLAN_ISSUES })],
    ],
  ],
  [
    "a plan whose answer was lost is made after a later look",
    [
      [1, FOREVER, apply("p"), lost],
      [2, 3, list, there({})],
      [4, 5, list, there({ p: PLAN_ISSUES })],
    ],
  ],
  [
    "a plan that is refused for want of a database makes nothing",
    [
      [1, 2, apply("p"), { refused: "unavailable" }],
      [3, 4, list, there({})],
    ],
  ],
])("an order of calls explains that %s", (_title, rows) => {
  expect(isExplained(rows)).toBe(true);
});

test.each<readonly [string, readonly Row[]]>([
  [
    "a plan of which only a part is there",
    [
      [1, FOREVER, apply("p"), lost],
      [2, 3, list, there({ p: PLAN_ISSUES - 1 })],
    ],
  ],
  [
    "an acknowledged plan that is gone",
    [
      [1, 2, apply("p"), created(PLAN_ISSUES)],
      [3, 4, list, there({})],
    ],
  ],
  [
    "a plan that was refused and is there",
    [
      [1, 2, apply("p"), { refused: "unavailable" }],
      [3, 4, list, there({ p: PLAN_ISSUES })],
    ],
  ],
  [
    "a plan that makes its issues twice",
    [
      [1, 2, apply("p"), created(PLAN_ISSUES)],
      [3, 4, apply("p"), created(PLAN_ISSUES)],
    ],
  ],
])("no order of calls explains %s", (_title, rows) => {
  expect(isExplained(rows)).toBe(false);
});
