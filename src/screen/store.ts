import type { Clock } from "../base/clock.ts";
import type { Effect } from "./effect.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

export interface Store<Message> {
  get(): State;
  subscribe(listener: () => void): () => void;
  dispatch(message: Message): void;
}

export interface StoreOptions<Message> {
  readonly initial: State;
  readonly clock: Pick<Clock, "now">;
  update(state: State, message: Message): Step;
  run(effect: Effect): void;
  /**
   * Whether the message is input. Input is drawn at once; other messages of one turn of the event loop are drawn
   * together.
   */
  isInput(message: Message): boolean;
}

export function createStore<Message>(options: StoreOptions<Message>): Store<Message> {
  const { clock, update, run, isInput } = options;
  let state = options.initial;
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
