import { keepingCursor } from "./board.ts";
import { loadInbox } from "./inbox.ts";
import { type Issue, withIssues, withoutIssues } from "./issues.ts";
import type { Done, State } from "./state.ts";
import { andThen, type Effect, type Step, say, step } from "./step.ts";
import { inverseOf, type Write, wordOf } from "./writes.ts";

const MAX_DONE = 200;
const MAX_UNDO = 50;

/** Sends writes to the daemon. What they will probably change is shown when the daemon has said so. */
export function send(state: State, writes: readonly Write[]): Step {
  const effects: Effect[] = [];
  let { serial } = state;
  const started = writes.map((write): Done => {
    serial += 1;
    effects.push({ effect: "write", id: serial, write });
    const before = write.act === "create" ? undefined : state.issues.get(write.at.uid);
    const text = wordOf(write).doing;
    return { id: serial, write, state: "pending", text, inverse: inverseOf(write, before) };
  });
  const done = [...started.toReversed(), ...state.done].slice(0, MAX_DONE);
  return { state: { ...state, serial, done }, effects };
}

/** A write was made: the daemon's own picture of the issue takes its row. */
export function written(state: State, id: number, issue: Issue | undefined): Step {
  const found = state.done.find((done) => done.id === id);
  if (found === undefined) return step(state);
  const { write } = found;
  const done = state.done.map((one) =>
    one.id === id ? { ...one, state: "done" as const, text: wordOf(write).done } : one,
  );
  const next = keepingCursor({ ...state, done }, (now) => ({
    ...now,
    issues: applied(now, write, issue),
  }));
  const left = next.done.some((one) => one.state === "pending");
  const marks = new Set(next.board.marks);
  if (write.act !== "create") marks.delete(write.at.uid);
  const cleared = { ...next, board: { ...next.board, marks } };
  if (left) return step(cleared);
  return andThen(say(cleared, summary(cleared, found)), (now) => after(now, write, issue));
}

function applied(state: State, write: Write, issue: Issue | undefined): State["issues"] {
  if (write.act === "delete") return withoutIssues(state.issues, [write.at.uid]);
  if (issue === undefined || !isInScope(state, issue)) {
    return write.act === "move" ? withoutIssues(state.issues, [write.at.uid]) : state.issues;
  }
  return withIssues(state.issues, [issue]);
}

export function isInScope({ scope }: State, issue: Pick<Issue, "project_id">): boolean {
  return scope.project === undefined || scope.project.id === issue.project_id;
}

function after(state: State, write: Write, issue: Issue | undefined): Step {
  if (write.act === "clear" || write.act === "notify") return step(state, loadInbox(state));
  if (write.act === "create" && issue !== undefined) {
    const board = { ...state.board, cursor: issue.uid };
    return step(
      { ...state, board },
      { effect: "load-detail", uid: issue.uid, at: undefined, now: true },
    );
  }
  const open = state.open.at(-1);
  if (write.act === "delete" && write.at.uid === open)
    return step({ ...state, open: state.open.slice(0, -1) });
  const uid = open ?? state.board.cursor;
  if (uid === undefined) return step(state);
  return step(state, { effect: "load-detail", uid, at: undefined, now: true });
}

/** The whole batch in one line; a single write says what it did and how to take it back. */
function summary(state: State, last: Done): string {
  const batch = batchOf(state, last);
  const made = batch.filter((one) => one.state === "done").length;
  const failed = batch.length - made;
  const undo = last.inverse === undefined ? "" : "   u undo";
  if (batch.length === 1) return `${wordOf(last.write).done}${undo}`;
  return `${VERB[last.write.act] ?? "changed"} ${made} issues${failed === 0 ? "" : `, ${failed} refused`}${undo}`;
}

const VERB: Readonly<Partial<Record<Write["act"], string>>> = {
  close: "closed",
  reopen: "reopened",
  delete: "deleted",
  assign: "assigned",
  unassign: "unassigned",
  label: "labelled",
};

/** The writes that were sent together: neighbours of the same kind with consecutive numbers. */
function batchOf(state: State, last: Done): readonly Done[] {
  const batch: Done[] = [];
  for (const done of state.done) {
    const previous = batch.at(-1);
    const joined = previous === undefined || previous.id === done.id + 1;
    if (done.write.act !== last.write.act || !joined) break;
    batch.push(done);
  }
  return batch.length === 0 ? [last] : batch;
}

/** A write was refused: nothing changed, and the person reads why. */
export function refused(state: State, id: number, text: string): Step {
  const done = state.done.map((one) =>
    one.id === id ? { ...one, state: "failed" as const, text } : one,
  );
  return say({ ...state, done }, text, "error");
}

/** Takes the last write of this session back that can be. */
export function undo(state: State): Step {
  const at = state.done.findIndex((one) => one.state === "done" && one.inverse !== undefined);
  const last = state.done[at];
  if (last?.inverse === undefined) return say(state, "nothing to undo");
  const done = state.done.map((one, place) =>
    place === at ? { ...one, inverse: undefined } : one,
  );
  const undone = [last.write, ...state.undone].slice(0, MAX_UNDO);
  return send({ ...state, done, undone }, [last.inverse]);
}

/** Makes again what was last undone. */
export function redo(state: State): Step {
  const [write, ...undone] = state.undone;
  if (write === undefined) return say(state, "nothing to do again");
  return send({ ...state, undone }, [write]);
}

export function isPending(state: State, uid: string): boolean {
  return state.done.some(
    (one) => one.state === "pending" && one.write.act !== "create" && one.write.at.uid === uid,
  );
}
