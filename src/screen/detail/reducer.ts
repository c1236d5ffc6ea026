import type { MessageOf } from "../message.ts";
import type { Reducer } from "../reducer.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { detailUid, withDetail, withNamed } from "./detail.ts";

export const detailReducer: Reducer<"detail" | "named"> = {
  detail: onDetail,
  named: (state, message) => step(withNamed(state, message)),
};

/** A run that fails writes no event, so a bridge that is shown is read again after this time. */
const BRIDGE_MS = 30_000;

/**
 * Stores the parts of the detail. If the issue has a root, asks for its bridge too, and again and again while it is
 * shown and this caller may see it.
 */
function onDetail(state: State, { uid, detail }: MessageOf<"detail">): Step {
  const next = withDetail(state, uid, detail);
  const { show, bridge } = detail;
  const bound = show?.issue.external_root === undefined ? undefined : show.issue;
  const read = bound ?? (detailUid(next) === uid ? bridge : undefined);
  if (read === undefined) return step(next);
  const wait = bound === undefined ? BRIDGE_MS : 0;
  return step(next, { effect: "load-bridge", uid, project_id: read.project_id, wait });
}
