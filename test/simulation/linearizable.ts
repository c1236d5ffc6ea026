import type { Call } from "./history.ts";

/** What a single, sequential copy of the object would do. States are plain JSON values. */
export interface Model<State, Input, Answer> {
  readonly initial: State;
  /**
   * The states in which the object may be after the call. Empty if the call cannot have this outcome in this state. For
   * an unknown outcome, these are the states after the call was carried out.
   */
  step(state: State, call: Call<Input, Answer>): readonly State[];
}

export interface Verdict<Input, Answer> {
  readonly linearizable: boolean;
  /** An order that explains the history; if there is none, the longest order that explains a part of it. */
  readonly order: readonly Call<Input, Answer>[];
  /** The calls with a known outcome that `order` does not contain. */
  readonly unexplained: readonly Call<Input, Answer>[];
}

/**
 * Looks for an order of the calls that a sequential object could have answered in this way, where a call that returned
 * before another was invoked stands before it (Herlihy and Wing 1990). Calls with an unknown outcome may be left out.
 *
 * The search is that of Wing and Gong with Lowe's memory of configurations: a set of calls that were placed, and the
 * state after them, is tried once.
 */
export function linearize<State, Input, Answer>(
  model: Model<State, Input, Answer>,
  history: readonly Call<Input, Answer>[],
): Verdict<Input, Answer> {
  const calls = history.toSorted((one, other) => one.invoked - other.invoked);
  const required = calls.filter(isRequired).length;
  const tried = new Set<string>();
  let longest: readonly number[] = [];

  const search = (placed: readonly number[], state: State): boolean => {
    if (placed.filter((at) => isRequired(calls[at])).length === required) {
      longest = placed;
      return true;
    }
    const done = new Set(placed);
    const configuration = `${placed.toSorted((a, b) => a - b).join()} ${JSON.stringify(state)}`;
    if (tried.has(configuration)) return false;
    tried.add(configuration);
    if (placed.length > longest.length) longest = placed;
    return candidates(calls, done).some((at) =>
      statesAfter(model, state, calls[at]).some((next) => search([...placed, at], next)),
    );
  };

  const linearizable = search([], model.initial);
  const inOrder = new Set(longest);
  return {
    linearizable,
    order: longest.flatMap((at) => calls[at] ?? []),
    unexplained: calls.filter((call, at) => isRequired(call) && !inOrder.has(at)),
  };
}

function isRequired<I, A>(call: Call<I, A> | undefined): boolean {
  return call !== undefined && !("unknown" in call.outcome);
}

/** The calls that may come next: none of the others had returned before they were invoked. */
function candidates<I, A>(
  calls: readonly Call<I, A>[],
  done: ReadonlySet<number>,
): readonly number[] {
  const open = calls.flatMap((call, at) => (done.has(at) ? [] : [{ call, at }]));
  const firstReturn = Math.min(...open.map(({ call }) => call.returned));
  return open
    .filter(({ call }) => call.invoked < firstReturn)
    .toSorted((one, other) => one.call.returned - other.call.returned)
    .map(({ at }) => at);
}

/** Without the state itself for an unknown outcome: a call that changed nothing can as well be left out. */
function statesAfter<State, I, A>(
  model: Model<State, I, A>,
  state: State,
  call: Call<I, A> | undefined,
): readonly State[] {
  if (call === undefined) return [];
  const after = model.step(state, call);
  if (!("unknown" in call.outcome)) return after;
  const before = JSON.stringify(state);
  return after.filter((next) => JSON.stringify(next) !== before);
}
