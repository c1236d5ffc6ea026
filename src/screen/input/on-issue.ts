import { type State, withSlice } from "../state.ts";
import type { Step } from "../step.ts";

/** The state as if the issue were open, so that commands act on it and on nothing else. */
export function withIssue(state: State, uid: string): State {
  if (state.detail.open.at(-1) === uid) return state;
  return withSlice(state, "detail", { open: [...state.detail.open, uid] });
}

/** Runs `run` on an issue that may be out of view. The open issues stay open, unless `run` itself changes them. */
export function onIssue(state: State, uid: string, run: (state: State) => Step): Step {
  const there = withIssue(state, uid);
  const { state: next, effects } = run(there);
  const { open } = state.detail;
  if (next.detail.open !== there.detail.open) return { state: next, effects };
  return { state: withSlice(next, "detail", { open }), effects };
}
