import type { Clock } from "../src/base/clock.ts";
import type { State } from "./state/state.ts";
import type { Effect, Message } from "./state/step.ts";
import { update } from "./state/update.ts";

/** Holds the state of the screen: messages change it, and whoever draws it is told. */
export interface Store {
  get(): State;
  subscribe(listener: () => void): () => void;
  dispatch(message: Message): void;
}

export function createStore(
  initial: State,
  clock: Pick<Clock, "now">,
  run: (effect: Effect) => void,
): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispatch: (message) => {
      const next = update({ ...state, now: clock.now() }, message);
      state = next.state;
      for (const listener of listeners) listener();
      for (const effect of next.effects) run(effect);
    },
  };
}
