import type { Effect } from "../effect.ts";
import type { State } from "../state.ts";
import type { SentWrite } from "./done.ts";

/** The reads of all screens whose data is out of date, as the refused writes have shown. */
export function readsAfterRefusal(state: State, failed: readonly SentWrite[]): readonly Effect[] {
  return state.screens.flatMap((screen) => screen.readsAfterRefusal?.(state, failed) ?? []);
}
