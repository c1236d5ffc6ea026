import type { Clock } from "../src/base/clock.ts";
import type { Effect } from "../src/screen/effect.ts";
import type { State } from "../src/screen/state.ts";
import { type TerminalMessage, update } from "./update.ts";

/** Stores the state; messages change the state, and listeners are notified. */
export interface Store {
  get(): State;
  subscribe(listener: () => void): () => void;
  dispatch(message: TerminalMessage): void;
}

export function createStore(
  initial: State,
  clock: Pick<Clock, "now">,
  run: (effect: Effect) => void,
): Store {
  let state = initial;
  let isDue = false;
  const listeners = new Set<() => void>();
  const notify = (): void => {
    isDue = false;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispatch: (message) => {
      const next = update({ ...state, now: clock.now() }, message);
      state = next.state;
      if (isInput(message)) notify();
      else if (!isDue) {
        isDue = true;
        queueMicrotask(() => {
          if (isDue) notify();
        });
      }
      for (const effect of next.effects) run(effect);
    },
  };
}

/** Input is drawn at once; other messages of the same turn are drawn together. */
function isInput({ type }: TerminalMessage): boolean {
  return (
    type === "key" || type === "paste" || type === "burst" || type === "mouse" || type === "resize"
  );
}
