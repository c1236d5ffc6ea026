import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import { jobUnderCursor, loadCron, withJob } from "./cron.ts";
import { isTurned, type ToggleConflict } from "./toggle-conflict.ts";
import { isToggling } from "./toggles.ts";

/** Turns the job under the cursor on or off. The row shows the change before the daemon answers. */
export function toggleJob(state: State): Step {
  const job = jobUnderCursor(state);
  const { project } = state.scope;
  if (job === undefined || project === undefined) return step(state);
  const { uid, name, definition, definition_event_uid: expected } = job;
  if (isToggling(state, uid)) return hint(state, `${name} is being turned already`);
  const at = { uid, project_id: project.id, ref: uid, name };
  const on = definition["enabled"] !== true;
  return sendWrites(state, [{ act: "toggle", at, project: project.name, on, expected }]);
}

/**
 * Handles a key in the dialog that opens if somebody else has changed the job after the person saw it. `o` turns the
 * job on or off anyway; if the job is already as the person wants it, nothing is sent. `r` and `esc` leave the job
 * unchanged. Other keys do nothing.
 */
export function onToggleConflictKey(
  state: State,
  { write, theirs }: ToggleConflict,
  key: string,
): Step {
  const left = withJob({ ...state, dialog: undefined }, theirs);
  if (key === "r" || key === "esc") return step(left, ...loadCron(left));
  if (key !== "o" || theirs.deleted_at !== undefined) return step(state);
  if (isTurned(write, theirs)) return step(left);
  return sendWrites(left, [{ ...write, expected: theirs.definition_event_uid }]);
}
