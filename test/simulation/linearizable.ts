import type { Call } from "./history.ts";

/** What a single, sequential copy of the object would do. States are plain JSON values. */
export interface Model<State, Input, Answer> {
  readonly initial: State;
  /**
   * The states in which the object may be after the call. Empty if the call cannot have this outcome in this state. For
   * an unknown outcome, these are the states after the call was carried out. Of two such calls with the same input, the
   * one that was invoked first must be able to do whatever the other can.
   */
  step(state: State, call: Call<Input, Answer>): readonly State[];
}

export interface Verdict<Input, Answer> {
  readonly linearizable: boolean;
  /** True if the search met its limit: perhaps there is an order, though none was found. */
  readonly isUndecided: boolean;
  /** An order that explains the history; if none was found, one that explains as many calls as possible. */
  readonly order: readonly Call<Input, Answer>[];
  /** The calls with a known outcome that `order` does not contain. */
  readonly unexplained: readonly Call<Input, Answer>[];
}

/** The default limit of a search. Histories of stories need less than a tenth of this number. */
const MOST_CONFIGURATIONS = 200_000;

/** Some of the calls in an order, and a state of the object after them. */
interface Configuration<State> {
  /** One bit for each call that was placed. */
  readonly placed: bigint;
  /** How many calls with a known outcome are not placed yet. */
  readonly missing: number;
  readonly state: State;
  /** The call that was placed last, and the configuration before it. */
  readonly last?: { readonly at: number; readonly before: Configuration<State> };
}

/**
 * Looks for an order of the calls in which a sequential object could have given these answers. If one call returned
 * before another one was invoked, it must come before the other one (Herlihy and Wing 1990). Calls with an unknown
 * outcome may be left out.
 *
 * The search is the one of Wing and Gong, with Lowe's memory of configurations: each set of placed calls with a state
 * after them is tried only once. Configurations with fewer calls of unknown outcome are tried first, because most
 * histories are explained by few such calls. After `mostConfigurations` the search is given up.
 */
export function linearize<State, Input, Answer>(
  model: Model<State, Input, Answer>,
  history: readonly Call<Input, Answer>[],
  mostConfigurations: number = MOST_CONFIGURATIONS,
): Verdict<Input, Answer> {
  const calls = history.toSorted((one, other) => one.invoked - other.invoked);
  const { furthest, isUndecided } = search(model, calls, mostConfigurations);
  const order = orderOf(furthest);
  const inOrder = new Set(order);
  return {
    linearizable: furthest.missing === 0,
    isUndecided,
    order: order.flatMap((at) => calls[at] ?? []),
    unexplained: calls.filter((call, at) => !isUnknown(call) && !inOrder.has(at)),
  };
}

function search<State, I, A>(
  model: Model<State, I, A>,
  calls: readonly Call<I, A>[],
  mostConfigurations: number,
): { readonly furthest: Configuration<State>; readonly isUndecided: boolean } {
  const missing = calls.filter((call) => !isUnknown(call)).length;
  const candidates = candidatesOf(calls);
  const tried = new Set<string>();
  let furthest: Configuration<State> = { placed: 0n, missing, state: model.initial };
  let open = [furthest];
  while (open.length > 0) {
    const withOneUnknownMore: Configuration<State>[] = [];
    for (let before = open.pop(); before !== undefined; before = open.pop()) {
      if (before.missing < furthest.missing) furthest = before;
      if (before.missing === 0) return { furthest, isUndecided: false };
      if (tried.size > mostConfigurations) return { furthest, isUndecided: true };
      for (const { call, at, bit } of candidates(before.placed))
        for (const state of statesAfter(model, before.state, call)) {
          const placed = before.placed | bit;
          const configuration = `${placed.toString(16)} ${JSON.stringify(state)}`;
          if (tried.has(configuration)) continue;
          tried.add(configuration);
          const last = { at, before };
          if (isUnknown(call)) withOneUnknownMore.push({ ...before, placed, state, last });
          else open.push({ placed, missing: before.missing - 1, state, last });
        }
    }
    open = withOneUnknownMore;
  }
  return { furthest, isUndecided: false };
}

function orderOf({ last }: Configuration<unknown>): readonly number[] {
  const order: number[] = [];
  for (let step = last; step !== undefined; step = step.before.last) order.push(step.at);
  return order.reverse();
}

function isUnknown({ outcome }: Call<unknown, unknown>): boolean {
  return "unknown" in outcome;
}

interface Candidate<I, A> {
  readonly call: Call<I, A>;
  readonly at: number;
  readonly bit: bigint;
  /**
   * The bit of the previous call with the same input, which must be placed first, if both outcomes are unknown; else 0.
   */
  readonly after: bigint;
}

/**
 * Returns a function that gives the calls that may come next. A call may come next if it was invoked before any other
 * call that is not placed had returned. Calls that returned first come last in the list, since the search goes on with
 * the last one.
 */
function candidatesOf<I, A>(
  calls: readonly Call<I, A>[],
): (placed: bigint) => readonly Candidate<I, A>[] {
  const alike = new Map<string, bigint>();
  const all = calls.map((call, at): Candidate<I, A> => {
    const bit = 1n << BigInt(at);
    if (!isUnknown(call)) return { call, at, bit, after: 0n };
    const input = JSON.stringify(call.input);
    const after = alike.get(input) ?? 0n;
    alike.set(input, bit);
    return { call, at, bit, after };
  });
  return (placed) => {
    const open = all.filter(({ bit }) => (placed & bit) === 0n);
    const firstReturn = Math.min(...open.map(({ call }) => call.returned));
    return open
      .filter(({ call, after }) => call.invoked < firstReturn && (placed & after) === after)
      .sort((one, other) => other.call.returned - one.call.returned);
  };
}

/**
 * Returns the states after the call. If its outcome is unknown, leaves out the state before the call: a call that
 * changed nothing can as well be left out of the order.
 */
function statesAfter<State, I, A>(
  model: Model<State, I, A>,
  state: State,
  call: Call<I, A>,
): readonly State[] {
  const after = model.step(state, call);
  if (!isUnknown(call)) return after;
  const before = JSON.stringify(state);
  return after.filter((next) => JSON.stringify(next) !== before);
}
