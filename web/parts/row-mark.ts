import type { State } from "../../src/screen/state.ts";
import { failureOf } from "../../src/screen/writes/failed.ts";
import { isPending } from "../../src/screen/writes/optimism.ts";

/** What is marked on an issue of the board: a change that is on its way or was refused, or one by somebody else. */
export function markOf(state: State, uid: string): "pending" | "failed" | "changed" | undefined {
  if (failureOf(state, uid) !== undefined) return "failed";
  if (isPending(state, uid)) return "pending";
  return state.board.changed.has(uid) ? "changed" : undefined;
}
