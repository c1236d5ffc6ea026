import { keyFor } from "../keymap.ts";
import { hint, say } from "../messages/messages.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step } from "../step.ts";
import type { Done, Pair, UndoStep } from "./done.ts";
import { changedFields } from "./inverse.ts";
import { isPending, trueIssue } from "./optimism.ts";
import { nextUndoText, type Way, whyNotUndoable } from "./report.ts";
import { uidOf } from "./writes.ts";
import { sendWrites } from "./writes-in-flight.ts";

/**
 * The first press says what will be undone, and the second undoes it. If the screen already says what will be undone,
 * one press is enough.
 */
export function undo(state: State): Step {
  return takeStep(state, "undo");
}

export function redo(state: State): Step {
  return takeStep(state, "redo");
}

function takeStep(state: State, way: Way): Step {
  const [first, ...rest] = state.writes[way];
  if (first === undefined) return hint(state, nothing(state, way));
  const { notice } = state.messages;
  if (notice?.offers !== way || notice.id !== first.id) return offer(state, way, first);
  const fair = first.pairs.filter((pair) => !isChanged(state, pair));
  const unfair = first.pairs.filter((pair) => isChanged(state, pair));
  const writes = fair.map(({ inverse }) => inverse);
  const sent = sendWrites(withSlice(state, "writes", { [way]: rest }), writes, {
    via: way,
    step: first,
  });
  // Nothing could be sent, so the step can still be taken later.
  if (state.connection.live === "reconnecting")
    return { ...sent, state: withSlice(sent.state, "writes", { [way]: state.writes[way] }) };
  if (unfair.length === 0) return sent;
  const names = unfair.map(({ inverse }) => (inverse.act === "create" ? "" : inverse.at.name));
  return andThen(sent, (now) =>
    say(now, `${names.join(", ")} changed since: it stays as it is`, "error"),
  );
}

/** Says what the next press will do. */
function offer(state: State, way: Way, next: UndoStep): Step {
  const last = lastMade(state);
  const kept = way === "undo" && last !== undefined ? whyNotUndoable(state, last.write) : undefined;
  const text = `${keyFor(state.preferences.keys, way)} again ${nextUndoText(next)}`;
  const more = { offers: way, id: next.id };
  return hint(state, kept === undefined ? text : `${kept}; ${text}`, more);
}

function lastMade({ writes: { done } }: State): Done | undefined {
  return done.find((one) => one.batch.via === "person" && one.state === "done");
}

function nothing(state: State, way: Way): string {
  const last = lastMade(state);
  const kept = last === undefined ? undefined : whyNotUndoable(state, last.write);
  return way === "redo" ? "nothing to do again" : (kept ?? "nothing to undo");
}

/** Whether somebody else has changed the same fields since, so that the undo would overwrite that change. */
function isChanged(state: State, { inverse }: Pair): boolean {
  if (inverse.act === "toggle") {
    const job = state.cron.jobs?.find((one) => one.uid === inverse.at.uid);
    return job !== undefined && job.definition_event_uid !== inverse.expected;
  }
  const uid = uidOf(inverse);
  const issue = uid === undefined ? undefined : trueIssue(state, uid);
  if (uid === undefined || issue === undefined || isPending(state, uid)) return false;
  return inverse.guard !== undefined && changedFields(inverse, issue) !== inverse.guard;
}
