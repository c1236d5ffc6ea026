import type { State } from "../../src/screen/state.ts";
import { failureOf } from "../../src/screen/writes/failed.ts";
import { isPending } from "../../src/screen/writes/optimism.ts";

/**
 * The mark of an issue on the board: `pending` while a change of it is sent, `failed` if the change was refused,
 * `changed` if somebody else has changed it.
 */
export function markOf(state: State, uid: string): "pending" | "failed" | "changed" | undefined {
  if (failureOf(state, uid) !== undefined) return "failed";
  if (isPending(state, uid)) return "pending";
  return state.board.changed.has(uid) ? "changed" : undefined;
}
