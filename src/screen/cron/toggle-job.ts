import type { Side } from "../forms/conflict.ts";
import type { ToggleConflictDialog } from "../forms/dialog.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import { jobUnderCursor, loadCron, withJob } from "./cron.ts";
import { wordOf } from "./definition.ts";
import type { CronJob } from "./state.ts";
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
 * Handles a key in the dialog that opens if somebody else has changed the job meanwhile. `o` turns the job on or off
 * anyway. `r` and `esc` leave the job unchanged. No other key sends anything.
 */
export function onToggleConflictKey(state: State, dialog: ToggleConflictDialog, key: string): Step {
  const { write, theirs } = dialog;
  const left = withJob({ ...state, dialog: undefined }, theirs);
  if (key === "r" || key === "esc") return step(left, ...loadCron(left));
  if (key !== "o" || theirs.deleted_at !== undefined) return step(state);
  if ((theirs.definition["enabled"] === true) === write.on) return step(left);
  return sendWrites(left, [{ ...write, expected: theirs.definition_event_uid }]);
}

/**
 * The members of the job's definition that the dialog compares: each member that somebody else has changed, with its
 * former and its current value, and always `enabled`, with the value that the person wants.
 */
export function toggleSides({ write, base, theirs }: ToggleConflictDialog): readonly Side[] {
  const was: Readonly<Record<string, string>> = base === undefined ? {} : membersOf(base);
  const is: Readonly<Record<string, string>> = membersOf(theirs);
  const names = new Set(["enabled", ...Object.keys(was), ...Object.keys(is)]);
  return [...names].flatMap((label) => {
    const mine = label === "enabled" ? String(write.on) : undefined;
    const [before, now = "-"] = [was[label], is[label]];
    if (mine === undefined && (base === undefined || before === is[label])) return [];
    return [{ label, base: base === undefined ? undefined : (before ?? "-"), theirs: now, mine }];
  });
}

function membersOf({ name, definition }: CronJob): Readonly<Record<string, string>> {
  const members = Object.entries(definition).map(([member, value]) => [member, wordOf(value)]);
  return { name, ...(Object.fromEntries(members) as Readonly<Record<string, string>>) };
}
