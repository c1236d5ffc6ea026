import type { MessageOf } from "../message.ts";
import type { Reducer } from "../reducer.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { withDetail, withNamed } from "./detail.ts";

export const detailReducer: Reducer<"detail" | "named"> = {
  detail: onDetail,
  named: (state, message) => step(withNamed(state, message)),
};

/** Stores the parts of the detail. If the issue has a root, asks for its bridge too. */
function onDetail(state: State, { uid, detail }: MessageOf<"detail">): Step {
  const next = withDetail(state, uid, detail);
  const { issue } = detail.show ?? {};
  if (issue?.external_root === undefined) return step(next);
  return step(next, { effect: "load-bridge", uid, project_id: issue.project_id });
}
