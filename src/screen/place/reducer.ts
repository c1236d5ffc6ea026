import type { Reducer } from "../reducer.ts";
import { goTo } from "./go.ts";

export const placeReducer: Reducer<"went"> = { went: (state, { place }) => goTo(state, place) };
