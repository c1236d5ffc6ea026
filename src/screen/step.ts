import type { Effect } from "./effect.ts";
import type { State } from "./state.ts";

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export function step(state: State, ...effects: readonly Effect[]): Step {
  return { state, effects };
}

export function andThen(first: Step, next: (state: State) => Step): Step {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}
