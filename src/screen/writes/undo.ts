import { isCutOff } from "../connection/connection-status.ts";
import { keyFor } from "../keymap.ts";
import { hint, say } from "../messages/messages.ts";
import { versionOf } from "../screen.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import type { Batch, SentWrite, UndoStep, Way } from "./done.ts";
import { changedFields } from "./inverse.ts";
import { isPending, trueIssue } from "./optimism.ts";
import { whyNotUndoable } from "./report.ts";
import { WHY_KEPT, wordsOfWrites } from "./words.ts";
import { uidOf, type Write } from "./writes.ts";

/**
 * Undoes the last change. The first press of the key says what will be undone, and the second press undoes it. If the
 * screen already says what will be undone, one press is enough. A change in flight is undone as soon as the daemon has
 * answered.
 */
export function undo(state: State): Step {
  return takeStep(state, "undo");
}

export function redo(state: State): Step {
  return takeStep(state, "redo");
}

function takeStep(state: State, way: Way): Step {
  const [first] = state.writes[way];
  const unanswered = lastInFlight(state, way);
  // The newest change comes first, even if it is still in flight. An older change may have been answered already,
  // because the daemon may answer in another order.
  if (unanswered !== undefined && unanswered.id > (first?.id ?? 0))
    return reverseLater(state, way, unanswered);
  if (first === undefined) return hint(state, nothing(state, way));
  const { notice } = state.messages;
  if (notice?.offers !== way || notice.id !== first.id) return offer(state, way, first);
  return sendStep(state, way, first);
}

/**
 * The newest batch in flight on which the key for `way` acts. The key reverses the batch, or withdraws an earlier
 * request to reverse it.
 */
function lastInFlight({ writes: { sent, toReverse } }: State, way: Way): Batch | undefined {
  return sent.find(({ state, batch, write }) => {
    if (state !== "pending" || write.act in WHY_KEPT) return false;
    return wayBack(batch) === way || toReverse.has(batch.id);
  })?.batch;
}

function wayBack({ via }: Batch): Way {
  return via === "undo" ? "redo" : "undo";
}

/**
 * Notes that the batch in flight is to be reversed, or withdraws that request. The batch can be reversed only after the
 * daemon has answered, because the inverse of a write is known only from the answer.
 */
function reverseLater(state: State, way: Way, batch: Batch): Step {
  const toReverse = new Set(state.writes.toReverse);
  const made = state.writes.sent.filter((one) => one.batch.id === batch.id).toReversed();
  const did = batch.did ?? wordsOfWrites(made.map(({ write }) => write)).done;
  const verb = way === "undo" ? "takes it back" : "makes it again";
  const isBack = wayBack(batch) === way;
  if (isBack) toReverse.add(batch.id);
  else toReverse.delete(batch.id);
  const stays = way === "undo" ? "it stays undone" : "it stays";
  const text = isBack ? `${keyFor(state, way)} ${verb} once the daemon has answered` : stays;
  return hint(withSlice(state, "writes", { toReverse }), `${did}: ${text}`);
}

/**
 * Called after the answer to a write. Once all writes of its batch are answered, reverses the batch if the person asked
 * for this while the batch was in flight. A refused batch has nothing to reverse, and the message about the refusal
 * says so.
 */
export function reverseOnceAnswered(state: State, id: number): Step {
  const { sent, toReverse } = state.writes;
  const batch = sent.find((one) => one.id === id)?.batch;
  if (batch === undefined || !toReverse.has(batch.id)) return step(state);
  if (sent.some((one) => one.batch.id === batch.id && one.state === "pending")) return step(state);
  const left = new Set(toReverse);
  left.delete(batch.id);
  const next = withSlice(state, "writes", { toReverse: left });
  const way = wayBack(batch);
  const [first] = next.writes[way];
  return first?.id === batch.id ? sendStep(next, way, first) : step(next);
}

function sendStep(state: State, way: Way, first: UndoStep): Step {
  const rest = state.writes[way].slice(1);
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

function offer(state: State, way: Way, next: UndoStep): Step {
  const last = lastMade(state);
  const kept = way === "undo" && last !== undefined ? whyNotUndoable(state, last.write) : undefined;
  const text = `${keyFor(state, way)} again ${wordsOfWrites(next.writes).does}`;
  const more = { offers: way, id: next.id };
  return hint(state, kept === undefined ? text : `${kept}; ${text}`, more);
}

function lastMade({ writes: { sent } }: State): SentWrite | undefined {
  return sent.find((one) => one.batch.via === "person" && one.state !== "failed");
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
    const version = versionOf(state, write.at.uid);
    return version !== undefined && version !== write.expected;
  }
  const uid = uidOf(write);
  const issue = uid === undefined ? undefined : trueIssue(state, uid);
  if (uid === undefined || issue === undefined || isPending(state, uid)) return false;
  return write.guard !== undefined && changedFields(write, issue) !== write.guard;
}
