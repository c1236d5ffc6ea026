import type { State } from "../state.ts";

/** Why the board may lack issues: they are still being loaded, or there are too many. */
export function loadingNote({ loading }: Pick<State, "loading">): string | undefined {
  if (loading.stage === "rest") return "loading the rest...";
  return loading.truncated ? "first 20,000; refine the filter" : undefined;
}
