import { isDeepStrictEqual } from "node:util";
import type { Call } from "./history.ts";
import { ANYTIME } from "./issue-model.ts";
import { linearize, type Model, type Verdict } from "./linearizable.ts";

/** What the clients of a history ask about the plans of one project. */
export type PlanInput = { readonly op: "apply"; readonly plan: string } | { readonly op: "list" };

/** What the daemon answered, reduced to what the model knows. */
export type PlanAnswer =
  | { readonly created: number }
  /** How many issues there are of each plan. */
  | { readonly issues: Readonly<Record<string, number>> };

/** More issues than the daemon creates on its own thread. */
export const PLAN_ISSUES = 12;

/** The plans that were applied, sorted. */
type PlanState = readonly string[];

/** Looks for an order of the calls on the plans of one project that explains what was answered. */
export function explainPlans(
  calls: readonly Call<PlanInput, PlanAnswer>[],
): Verdict<PlanInput, PlanAnswer> {
  return linearize(MODEL, calls);
}

/** A plan makes all of its issues at once or none, and makes nothing when it is applied again. */
const MODEL: Model<PlanState, PlanInput, PlanAnswer> = {
  initial: [],
  step: (state, { input, outcome }) => {
    if ("refused" in outcome) return ANYTIME.has(outcome.refused) ? [state] : [];
    const { next, expected } = carriedOut(state, input);
    const isAnswered = !("answer" in outcome) || isDeepStrictEqual(outcome.answer, expected);
    return isAnswered ? [next] : [];
  },
};

function carriedOut(
  state: PlanState,
  input: PlanInput,
): { readonly next: PlanState; readonly expected: PlanAnswer } {
  if (input.op === "list") {
    const issues = Object.fromEntries(state.map((plan) => [plan, PLAN_ISSUES]));
    return { next: state, expected: { issues } };
  }
  if (state.includes(input.plan)) return { next: state, expected: { created: 0 } };
  const next = [...state, input.plan].sort();
  return { next, expected: { created: PLAN_ISSUES } };
}
