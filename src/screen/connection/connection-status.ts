import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { LiveState } from "./state.ts";

/** How the screen hears of changes, or that something changed that cannot be read. */
export type ConnectionStatus = LiveState | "behind";

export function connectionStatus({
  connection: { live, behind },
}: Pick<State, "connection">): ConnectionStatus {
  return behind && live !== "reconnecting" ? "behind" : live;
}

/** What is seen may be old. */
export function isStale(state: State): boolean {
  const hearing = connectionStatus(state);
  return hearing === "reconnecting" || hearing === "behind";
}

/** A daemon that is reached anew may take changes that it refused before. */
export function withLiveState(state: State, live: LiveState): State {
  return withSlice(state, "connection", {
    live,
    readOnly: live === "reconnecting" ? state.connection.readOnly : undefined,
  });
}

/** Nobody who wants something of a daemon that does not answer waits until it is tried the next time. */
export function tryNow(state: State): Step {
  return step(state, { effect: "reconnect" });
}
