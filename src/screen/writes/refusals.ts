import type { Effect } from "../effect.ts";
import type { State } from "../state.ts";
import type { Done } from "./done.ts";

/** The reads of all screens that refused writes have shown to be out of date. */
export function readsAfterRefusal(state: State, failed: readonly Done[]): readonly Effect[] {
  return state.screens.flatMap((screen) => screen.readsAfterRefusal?.(state, failed) ?? []);
}
