import type { Reducer } from "../reducer.ts";
import { step } from "../step.ts";
import { withDetail } from "./detail.ts";

export const detailReducer: Reducer<"detail"> = {
  detail: (state, { uid, detail }) => step(withDetail(state, uid, detail)),
};
