import { onLive } from "../loading/reload.ts";
import type { Reducer } from "../reducer.ts";
import { withSlice } from "../state.ts";
import { step } from "../step.ts";
import { connected } from "./daemons.ts";

export const connectionReducer: Reducer<"live" | "behind" | "auth" | "api" | "connected"> = {
  live: (state, { live }) => onLive(state, live),
  behind: (state, { behind }) => step(withSlice(state, "connection", { behind })),
  auth: (state, { quickClose }) => step(withSlice(state, "connection", { quickClose })),
  api: (state, { api }) => step(withSlice(state, "connection", { api })),
  connected: (state, { daemon }) => connected(state, daemon),
};
