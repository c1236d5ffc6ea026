import { isCutOff, tryNow } from "../connection/connection-status.ts";
import type { Dialog } from "../forms/dialog.ts";
import { keepingCursors } from "../lines.ts";
import { say } from "../messages/messages.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import type { Batch, SentWrite } from "./done.ts";
import { subjectOf } from "./failed.ts";
import { withExpectedResults } from "./optimism.ts";
import { uidOf, type Write } from "./writes.ts";

const MAX_DONE = 200;

/** Sends writes to the daemon; their rows show the expected result at once. */
export function sendWrites(
  state: State,
  writes: readonly Write[],
  from: Partial<Batch> = {},
): Step {
  const { input, via = "person", did } = from;
  // Without a connection nothing is sent, and the typed text stays.
  const { live, readOnly = SILENT } = state.connection;
  if (isCutOff(live)) {
    const why = live === "refused" ? readOnly : SILENT;
    return andThen(say({ ...state, dialog: kept(input, why) }, why, "error"), tryNow);
  }
  if (writes.length === 0) return step(state);
  const batch: Batch = { id: state.session.serial + 1, input, via, did };
  const started = writes.map((write, at): SentWrite => {
    const before = write.act === "create" ? undefined : state.issues.get(write.at.uid);
    return { id: batch.id + at, batch, write, state: "pending", text: "", before };
  });
  const uids = writes.flatMap((write) => uidOf(write) ?? []);
  const subjects = new Set(writes.map((write) => subjectOf(write, input)));
  const failed = new Map([...state.writes.failed].filter(([subject]) => !subjects.has(subject)));
  const serial = batch.id + writes.length;
  const sent = atMost([...started.toReversed(), ...state.writes.sent]);
  const there = via === "person" ? withoutOffer(state) : state;
  const next = keepingCursors(
    { ...there, session: { ...there.session, serial }, writes: { ...there.writes, sent, failed } },
    (now) => withExpectedResults(now, uids),
  );
  const effects = started.map(({ id, write }) => ({ effect: "write", id, write }) as const);
  return { state: next, effects };
}

/** Removes the offer to undo or redo an older change, because it would no longer be about the last change. */
function withoutOffer(state: State): State {
  if (state.messages.notice?.offers === undefined) return state;
  return withSlice(state, "messages", { notice: undefined });
}

const SILENT = "the daemon does not answer: nothing was sent, it is tried again now";

/** A form covers the message row, so the error is shown in the form. */
function kept(input: Dialog | undefined, why: string): Dialog | undefined {
  if (input?.dialog !== "form") return input;
  const error = `${why}; send it again once the connection is back`;
  return { ...input, saving: false, error, isUnsent: true };
}

/** Cuts the list of writes to its maximum length, but never drops a write in flight. */
function atMost(sent: readonly SentWrite[]): readonly SentWrite[] {
  return sent.filter((one, at) => at < MAX_DONE || one.state === "pending");
}
