import type { Effect } from "../effect.ts";
import type { State } from "../state.ts";
import type { SentWrite } from "./done.ts";

/**
 * Returns the effects by which each screen reads its data again, if the refused writes show that this data is out of
 * date.
 */
export function readsAfterRefusal(state: State, failed: readonly SentWrite[]): readonly Effect[] {
  return state.screens.flatMap((screen) => screen.readsAfterRefusal?.(state, failed) ?? []);
}
