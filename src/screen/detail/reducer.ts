import type { Reducer } from "../reducer.ts";
import { step } from "../step.ts";
import { withDetail, withNamed } from "./detail.ts";

export const detailReducer: Reducer<"detail" | "named"> = {
  detail: (state, { uid, detail }) => step(withDetail(state, uid, detail)),
  named: (state, message) => step(withNamed(state, message)),
};
