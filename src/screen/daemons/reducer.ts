import { onLive } from "../loading/reload.ts";
import type { Reducer } from "../reducer.ts";
import { withSlice } from "../state.ts";
import { step } from "../step.ts";
import { onConnected } from "./daemons.ts";

export const connectionReducer: Reducer<
  "live" | "silent" | "behind" | "auth" | "api" | "connected"
> = {
  live: (state, { live, why }) => onLive(state, live, why),
  silent: (state, { since }) => step(withSlice(state, "connection", { silentSince: since })),
  behind: (state, { behind }) => step(withSlice(state, "connection", { behind })),
  auth: (state, { quickClose, readOnly }) =>
    step(withSlice(state, "connection", { quickClose, onlyReads: readOnly, readOnly })),
  api: (state, { api }) => step(withSlice(state, "connection", { api })),
  connected: (state, { daemon, actor }) => onConnected(state, daemon, actor),
};
