import { keepingCursors } from "../lines.ts";
import type { Reducer } from "../reducer.ts";
import { withSlice } from "../state.ts";
import { step } from "../step.ts";

export const windowReducer: Reducer<"resize" | "background"> = {
  resize: (state, { columns, rows }) =>
    step(keepingCursors(state, (now) => withSlice(now, "window", { columns, rows }))),
  background: (state, { light }) =>
    step(state.preferences.light === light ? state : withSlice(state, "preferences", { light })),
};
