import { type State, withSlice } from "../state.ts";
import { dismissFailure } from "./failed.ts";

/**
 * Dismisses the notice. If it is the error of a refused write, dismisses the failure that is shown with the issue, too.
 */
export function dismissNotice(state: State): State {
  const failed = state.messages.notice?.failed;
  const seen = failed === undefined ? state : dismissFailure(state, failed);
  return withSlice(seen, "messages", { notice: undefined });
}
