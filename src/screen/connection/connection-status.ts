import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { LiveState } from "./state.ts";

export type ConnectionStatus = LiveState | "silent" | "behind";

export function connectionStatus({
  connection: { live, silentSince, behind },
}: Pick<State, "connection">): ConnectionStatus {
  if (silentSince !== undefined && live === "live") return "silent";
  return behind && live !== "reconnecting" ? "behind" : live;
}

/** Whether what is shown may be out of date. */
export function isStale(state: State): boolean {
  const status = connectionStatus(state);
  return status === "reconnecting" || status === "silent" || status === "behind";
}

/** Sets the state of the connection. A daemon that answers again may accept changes again, so `readOnly` is cleared. */
export function withLiveState(state: State, live: LiveState): State {
  return withSlice(state, "connection", {
    live,
    silentSince: undefined,
    readOnly: live === "reconnecting" ? state.connection.readOnly : undefined,
  });
}

/** Tries the daemon now instead of after the current delay. */
export function tryNow(state: State): Step {
  return step(state, { effect: "reconnect" });
}
