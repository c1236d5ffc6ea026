import type { Reducer } from "../reducer.ts";
import { onReplay } from "./replay.ts";

export const sessionReducer: Reducer<"replay"> = { replay: onReplay };
