import { isCutOff } from "../connection/connection-status.ts";
import { keyFor } from "../keymap.ts";
import { hint, say } from "../messages/messages.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step } from "../step.ts";
import type { Done, UndoStep, Way } from "./done.ts";
import { changedFields } from "./inverse.ts";
import { isPending, trueIssue } from "./optimism.ts";
import { whyNotUndoable } from "./report.ts";
import { wordsOfAll } from "./words.ts";
import { uidOf, type Write } from "./writes.ts";
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
  const writes = first.writes.filter((write) => !isChanged(state, write));
  const unfair = first.writes.filter((write) => isChanged(state, write));
  const sent = sendWrites(withSlice(state, "writes", { [way]: rest }), writes, {
    via: way,
    did: first.did,
  });
  // Nothing could be sent, so the step stays on the list of steps to undo or redo.
  if (isCutOff(state.connection.live))
    return { ...sent, state: withSlice(sent.state, "writes", { [way]: state.writes[way] }) };
  if (unfair.length === 0) return sent;
  const names = unfair.map((write) => (write.act === "create" ? "" : write.at.name));
  return andThen(sent, (now) =>
    say(now, `${names.join(", ")} changed since: it stays as it is`, "error"),
  );
}

/** Says what the next press of the key will do. */
function offer(state: State, way: Way, next: UndoStep): Step {
  const last = lastMade(state);
  const kept = way === "undo" && last !== undefined ? whyNotUndoable(state, last.write) : undefined;
  const text = `${keyFor(state, way)} again ${wordsOfAll(next.writes).does}`;
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

/**
 * Whether somebody else has changed the same fields since the write, so that undoing it would overwrite that change.
 */
function isChanged(state: State, write: Write): boolean {
  if (write.act === "toggle") {
    const job = state.cron.jobs?.find((one) => one.uid === write.at.uid);
    return job !== undefined && job.definition_event_uid !== write.expected;
  }
  const uid = uidOf(write);
  const issue = uid === undefined ? undefined : trueIssue(state, uid);
  if (uid === undefined || issue === undefined || isPending(state, uid)) return false;
  return write.guard !== undefined && changedFields(write, issue) !== write.guard;
}
