import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { LiveState } from "./state.ts";

export type ConnectionStatus = LiveState | "silent" | "behind";

export function connectionStatus({
  connection: { live, silentSince, behind },
}: Pick<State, "connection">): ConnectionStatus {
  if (silentSince !== undefined && live === "live") return "silent";
  return behind && !isCutOff(live) ? "behind" : live;
}

/** Whether the daemon does not answer or refuses the caller, so that nothing is sent. */
export function isCutOff(live: LiveState): boolean {
  return live === "reconnecting" || live === "refused";
}

export function isStale(state: State): boolean {
  const status = connectionStatus(state);
  return status === "silent" || status === "behind" || isCutOff(state.connection.live);
}

/**
 * Sets the state of the connection. If the daemon refuses the caller, every change is refused for the same reason
 * (`why`). When the daemon answers again, changes are refused only if the daemon reports that this caller may only
 * read.
 */
export function withLiveState(state: State, live: LiveState, why?: string): State {
  const { onlyReads, readOnly: known } = state.connection;
  const readOnly = why ?? (live === "reconnecting" ? known : onlyReads);
  return withSlice(state, "connection", { live, silentSince: undefined, readOnly });
}

/** Tries to reach the daemon now instead of after the current delay. */
export function tryNow(state: State): Step {
  return step(state, { effect: "reconnect" });
}
