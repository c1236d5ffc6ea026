import type { Clock } from "../src/base/clock.ts";
import type { Effect } from "../src/screen/effect.ts";
import type { State } from "../src/screen/state.ts";
import {
  createStore as createScreenStore,
  type Store as ScreenStore,
} from "../src/screen/store.ts";
import { type TerminalMessage, update } from "./update.ts";

export type Store = ScreenStore<TerminalMessage>;

export function createStore(
  initial: State,
  clock: Pick<Clock, "now">,
  run: (effect: Effect) => void,
): Store {
  return createScreenStore({ initial, clock, run, update, isInput });
}

function isInput({ type }: TerminalMessage): boolean {
  return (
    type === "key" || type === "paste" || type === "burst" || type === "mouse" || type === "resize"
  );
}
