import { detailUid, leaveIssue, loadDetail } from "../detail/detail.ts";
import type { Effect } from "../effect.ts";
import { askClose } from "../forms/close-line.ts";
import type { FormDialog } from "../forms/dialog.ts";
import { valueIn } from "../forms/forms.ts";
import { formAgain } from "../forms/refused.ts";
import { HOME_SCREEN } from "../home-screen.ts";
import type { Issue } from "../issues/issues.ts";
import { neighboursOf } from "../issues/neighbours.ts";
import { overwriteWarning } from "../issues/synced.ts";
import { keepingCursors } from "../lines.ts";
import { reload } from "../loading/reload.ts";
import type { MessageOf } from "../message.ts";
import { isInScope } from "../scope/choose-project.ts";
import { recordOf, screenOf } from "../screen.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { type AcceptedWrite, changedKindOf } from "../writes/changes.ts";
import type { Batch, SentWrite, UndoStep } from "../writes/done.ts";
import { dismissFailure, subjectOf } from "../writes/failed.ts";
import { inverseOf, withPeers } from "../writes/inverse.ts";
import { trueIssue, withExpectedResults, withTruth } from "../writes/optimism.ts";
import { readsAfterRefusal } from "../writes/refusals.ts";
import { isUnknown, reportWrites, writesText } from "../writes/report.ts";
import { sendWrites } from "../writes/send.ts";
import { wordsOf } from "../writes/words.ts";
import { uidOf, type Write } from "../writes/writes.ts";

export const MAX_UNDO = 50;

/** Handles an accepted write. The issue as the daemon sent it replaces the expected result. */
export function onWritten(state: State, message: MessageOf<"written">): Step {
  const { id, issue, closed, job, hostOwned, said } = message;
  const found = state.writes.sent.find((one) => one.id === id);
  if (found === undefined) return step(state);
  const { write, before } = found;
  const opposite = inverseOf(write, before, issue, { closed, job });
  const inverse = opposite === undefined ? undefined : withPeers(opposite, state.issues);
  const warning = overwriteWarning(issue?.synced, hostOwned);
  const made = { state: "done", text: said ?? doneText(write, issue), warning, inverse } as const;
  const ended = state.screens.reduce(
    (now, { withAnswer }) => withAnswer?.(now, message) ?? now,
    withSlice(withDone(state, id, made), "connection", { readOnly: undefined }),
  );
  const uid = uidOf(write) ?? issue?.uid;
  const next = keepingCursors(ended, (now) =>
    withExpectedResults(taken(now, write, issue), uid === undefined ? [] : [uid]),
  );
  return finished(withoutMarkOf(next, write), found, issue);
}

/**
 * Removes the mark of the issue if the list no longer shows the issue after the write. Other marks stay until the
 * person removes them.
 */
function withoutMarkOf(state: State, write: Write): State {
  const uid = uidOf(write);
  if (uid === undefined || !state.marks.has(uid)) return state;
  if (write.act !== "clear" && isListed(state, uid)) return state;
  const marks = new Set(state.marks);
  marks.delete(uid);
  return { ...state, marks };
}

/** Whether the list shows the issue. On a screen without marks, the board's list decides. */
function isListed(state: State, uid: string): boolean {
  const { hasMarks, rows } = screenOf(state);
  const list = hasMarks === true ? rows : recordOf(state, HOME_SCREEN).rows;
  return list.shows?.(state, uid) ?? list.issues(state).includes(uid);
}

/** What the write did. The text about a new issue contains the id that the daemon chose. */
function doneText(write: Write, issue: Issue | undefined): string {
  return write.act === "create" && issue !== undefined
    ? `created ${issue.qualified_id} "${write.title}"`
    : wordsOf(write).done;
}

function taken(state: State, write: Write, issue: Issue | undefined): State {
  if (issue !== undefined && isInScope(state, issue)) return withTruth(state, [issue]);
  const leaves = write.act === "delete" || (write.act === "move" && issue !== undefined);
  return leaves ? withTruth(state, [], [write.at.uid]) : state;
}

/**
 * Handles a refused write. The row shows the issue as it was before the write. It also shows the failure until the
 * person has seen it.
 */
export function onRefused(state: State, message: MessageOf<"refused">): Step {
  const { id, code, text } = message;
  const found = state.writes.sent.find((one) => one.id === id);
  if (found === undefined) return step(state);
  const uid = uidOf(found.write);
  const ended = withDone(state, id, {
    state: "failed",
    code,
    text,
    field: message.field,
    candidates: message.candidates,
    current: message.current,
  });
  const failed = new Map(state.writes.failed);
  const subject = subjectOf(found.write, found.batch.input);
  if (subject !== undefined && found.batch.via === "person") failed.set(subject, id);
  const readOnly = message.forbidden ? text : state.connection.readOnly;
  const next = keepingCursors(
    {
      ...ended,
      writes: { ...ended.writes, failed },
      connection: { ...ended.connection, readOnly },
    },
    (now) => withExpectedResults(now, uid === undefined ? [] : [uid]),
  );
  return finished(next, found, undefined);
}

function withDone(state: State, id: number, change: Partial<SentWrite>): State {
  return withSlice(state, "writes", {
    sent: state.writes.sent.map((one) => (one.id === id ? { ...one, ...change } : one)),
  });
}

/** Called after each answer. Once all writes of a batch are answered, reports their result. */
function finished(state: State, last: SentWrite, issue: Issue | undefined): Step {
  const { batch } = last;
  const all = state.writes.sent.filter((one) => one.batch.id === batch.id).toReversed();
  if (all.some((one) => one.state === "pending")) return step(state);
  const made = all.filter((one) => one.state === "done");
  const failed = all.filter((one) => one.state === "failed");
  const kept = withUndo(state, batch, made, failed);
  const closed = andThen(reportWrites(kept, batch, made, failed), (now) =>
    leaveDialog(now, batch, failed),
  );
  const reported = failed.some(isUnknown) ? andThen(closed, reload) : closed;
  if (made.length === 0)
    return andThen(reported, (now) =>
      step(now, ...readsAfterRefusal(now, failed), ...bridgeAgain(now, last)),
    );
  const uids = aroundMade(state, made);
  const refresh = uids.length === 0 ? [] : [{ effect: "refresh", uids } as const];
  const read = andThen(reported, (now) => step(now, ...refresh));
  return andThen(read, (now) => afterMade(now, last, issue));
}

/** A refused write to a bridge may have changed it without an event: a run that failed stores its error. */
function bridgeAgain(state: State, { write }: SentWrite): readonly Effect[] {
  const isShown = write.act === "bridge" && write.at.uid === detailUid(state);
  return isShown ? [loadDetail(state, write.at.uid, true)] : [];
}

/**
 * The uids of issues that must be read again: the parents and linked issues of each issue that a write has removed or
 * whose status a write has changed. `issues` already contains the results of the writes, so `made` gives each issue as
 * it was before its write.
 */
function aroundMade({ issues }: State, made: readonly SentWrite[]): readonly string[] {
  const before = new Map(made.flatMap((one) => (one.before ? [[one.before.uid, one.before]] : [])));
  return neighboursOf(before, issues, before.keys());
}

/** Turns the batch into an undo step; a batch that was itself an undo becomes a redo step. */
function withUndo(
  state: State,
  { id, via, did: before }: Batch,
  made: readonly SentWrite[],
  failed: readonly SentWrite[],
): State {
  const { undo, redo } = state.writes;
  const did = before ?? writesText(made);
  const put = (steps: readonly UndoStep[], writes: readonly Write[]): readonly UndoStep[] =>
    writes.length === 0 ? steps : [{ id, did, writes }, ...steps].slice(0, MAX_UNDO);
  const inverses = made.flatMap(({ inverse }) => inverse ?? []);
  if (via === "person") {
    const left = inverses.length === 0 ? redo : [];
    return withSlice(state, "writes", { undo: put(undo, inverses), redo: left });
  }
  // A write that did not reach the daemon can be tried again; a refused write cannot.
  const again = failed.flatMap(({ write, code }) => (code === "daemon_unavailable" ? write : []));
  // The inverses of an undo repeat what the person did first, so they become a redo step.
  const [forUndo, forRedo] = via === "undo" ? [again, inverses] : [inverses, again];
  return withSlice(state, "writes", { undo: put(undo, forUndo), redo: put(redo, forRedo) });
}

/** Closes the form whose writes were answered. If a write was refused, shows the form again with the reason. */
function leaveDialog(state: State, batch: Batch, failed: readonly SentWrite[]): Step {
  const { dialog } = state;
  // A form below the question whether to quit is closed or shown again in the same way.
  if (dialog?.dialog === "quit") {
    const left = leaveDialog({ ...state, dialog: dialog.under }, batch, failed);
    return { ...left, state: { ...left.state, dialog: { ...dialog, under: left.state.dialog } } };
  }
  const { input } = batch;
  const [first] = failed;
  const isAsked =
    first?.write.act === "close" && input?.dialog !== "form" && first.code === "validation";
  // The daemon refuses the close without the required message or evidence. So a prompt asks for them, and later closes
  // ask before they are sent, because `quickClose` is then false.
  if (isAsked && dialog === undefined && first.batch.via === "person") {
    const issues = failed.flatMap(({ write }) => trueIssue(state, uidOf(write) ?? "") ?? []);
    const line = askClose(state, issues);
    const prompt =
      input?.dialog === "prompt" ? { ...line, field: input.field, error: first.text } : line;
    // The prompt shows the reason, so no message is needed.
    const calm = withSlice(dismissFailure(state, first.id), "messages", { notice: undefined });
    return step({ ...withSlice(calm, "connection", { quickClose: false }), dialog: prompt });
  }
  if (first !== undefined && dialog === undefined && first.batch.via === "person") {
    const shown = state.screens.flatMap(({ conflict }) => conflict?.(state, first) ?? []);
    if (shown[0] !== undefined) return shown[0];
  }
  // If the answer belongs to an earlier form, the open dialog stays.
  if (dialog?.dialog !== "form" || input?.dialog !== "form" || dialog.id !== input.id)
    return step(state);
  if (first === undefined) return onceTaken({ ...state, dialog: undefined }, dialog);
  return formAgain(state, dialog, failed);
}

/**
 * How many characters of an answer are repeated in the notification to the person who asked. The comment contains the
 * whole answer.
 */
const MAX_TOLD = 200;

/**
 * Called when the daemon has accepted a comment. If the comment answers a request, sends two more writes: the first
 * clears the request, and the second notifies the sender of the request.
 */
function onceTaken(state: State, dialog: FormDialog): Step {
  const { kind } = dialog;
  if (kind.form !== "comment" || kind.after === undefined) return step(state);
  const cleared = sendWrites(state, [kind.after]);
  const { after, asker: to } = kind;
  if (to === undefined || after.act !== "clear") return cleared;
  const [line = ""] = valueIn(dialog, "body").split("\n", 1);
  const message = `answered: ${[...line].slice(0, MAX_TOLD).join("")}`;
  const notification: Write = { act: "notify", at: after.at, to, message, isAnswer: true };
  return andThen(cleared, (now) => sendWrites(now, [notification]));
}

/**
 * Called when all writes of a batch are answered and at least one of them succeeded. Reads again what the current
 * screen and the open issue show of the change.
 */
function afterMade(state: State, { write, batch }: SentWrite, issue: Issue | undefined): Step {
  const changed = changedKindOf(write);
  const isTaken = write.act === "delete" && write.at.uid === state.detail.open.at(-1);
  const made: AcceptedWrite = { write, batch, issue, changed };
  const there = state.screens.reduce(
    (all, screen) =>
      screen.afterWrites
        ? andThen(all, (now) => screen.afterWrites?.(now, made) ?? step(now))
        : all,
    step(isTaken ? leaveIssue(state) : state),
  );
  // Jobs and series are not part of an open issue, so it need not be read again.
  if (changed === "job" || changed === "series") return there;
  const uid = detailUid(there.state);
  return andThen(there, (now) =>
    step(now, ...(uid === undefined ? [] : [loadDetail(now, uid, true)])),
  );
}
