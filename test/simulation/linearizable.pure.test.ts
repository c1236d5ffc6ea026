import { expect, test } from "vitest";
import type { Call } from "./history.ts";
import { linearize, type Model } from "./linearizable.ts";

type Input = { readonly op: "add"; readonly item: string } | { readonly op: "list" };

/** A set of items. Adding and listing both answer with the items, sorted. */
const SET: Model<readonly string[], Input, readonly string[]> = {
  initial: [],
  step: (items, { input, outcome }) => {
    const next = input.op === "list" ? items : [...new Set([...items, input.item])].sort();
    const isAnswered = !("answer" in outcome) || outcome.answer.join() === next.join();
    return isAnswered ? [next] : [];
  },
};

const lost = { unknown: "the connection broke" };

/** Returns this many calls without an answer. Each of them adds a different item. */
function lostAdds(count: number): Call<Input, readonly string[]>[] {
  return Array.from({ length: count }, (_, at) => call({ op: "add", item: `i${at}` }, at, lost));
}

function call(
  input: Input,
  invoked: number,
  outcome: Call<Input, readonly string[]>["outcome"],
): Call<Input, readonly string[]> {
  const returned = "unknown" in outcome ? Number.POSITIVE_INFINITY : invoked + 0.5;
  return { client: "c", input, invoked, returned, outcome };
}

function listed(invoked: number, ...items: readonly string[]): Call<Input, readonly string[]> {
  return call({ op: "list" }, invoked, { answer: items });
}

test("the search finds the one of forty unanswered calls that explains the final state", () => {
  const history = [...lostAdds(40), listed(50), listed(51), listed(52, "i33")];
  const { linearizable, order } = linearize(SET, history, 1000);
  expect(linearizable).toBe(true);
  expect(order.map(({ invoked }) => invoked)).toEqual([50, 51, 33, 52]);
});

test("the search tries only the first of forty equal unanswered calls", () => {
  const adds = lostAdds(40).map((add) => ({ ...add, input: { op: "add", item: "i" } as const }));
  const verdict = linearize(SET, [...adds, listed(50), listed(51, "i"), listed(52, "x")], 100);
  expect(verdict).toMatchObject({ linearizable: false, isUndecided: false });
  expect(verdict.unexplained).toEqual([listed(52, "x")]);
});

test("the search gives up if there are too many orders, and says that it is undecided", () => {
  const verdict = linearize(SET, [...lostAdds(40), listed(50, "x")], 1000);
  expect(verdict).toMatchObject({ linearizable: false, isUndecided: true });
});
