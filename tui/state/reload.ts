import { detailUid, loadDetail } from "./detail.ts";
import { loadInbox } from "./inbox.ts";
import type { State } from "./state.ts";
import { type Step, step } from "./step.ts";

/** Reads everything again that is shown. */
export function reload(state: State): Step {
  const serial = state.serial + 1;
  const next = { ...state, serial, scopeSerial: serial };
  const uid = detailUid(state);
  const issues = { effect: "load-issues", project_id: state.scope.project?.id, serial } as const;
  const detail = uid === undefined ? [] : [loadDetail(next, uid, true)];
  return step(next, { effect: "load-projects" }, issues, loadInbox(next), ...detail);
}
