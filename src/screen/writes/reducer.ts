import type { Reducer } from "../reducer.ts";
import { onRefused, onWritten } from "./writes-in-flight.ts";

export const writesReducer: Reducer<"written" | "refused"> = {
  written: onWritten,
  refused: onRefused,
};
