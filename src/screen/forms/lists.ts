import { hint } from "../messages/messages.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { commandOf } from "../writes/command-line.ts";
import type { SentWrite } from "../writes/done.ts";
import { dismissFailure } from "../writes/failed.ts";
import { trueIssue } from "../writes/optimism.ts";
import { readsAfterRefusal } from "../writes/refusals.ts";
import { sendWrites } from "../writes/send.ts";
import { uidOf } from "../writes/writes.ts";
import { closeForm } from "./close-form.ts";
import type { Dialog, PromptDialog } from "./dialog.ts";
import { aboutAll, openNewForm } from "./forms.ts";
import { movedInList } from "./list-keys.ts";
import { formAgain } from "./refused.ts";

type ListDialog = Extract<Dialog, { dialog: "list" }>;

export function onListKey(state: State, dialog: ListDialog, key: string): Step {
  const isWrites = dialog.kind === "writes";
  const count = isWrites ? state.writes.sent.length : state.messages.all.length;
  const at = movedInList(key, dialog.at, count);
  if (at !== undefined) return step({ ...state, dialog: { ...dialog, at } });
  const done = isWrites
    ? state.writes.sent[dialog.at]
    : state.writes.sent.find(({ id }) => id === state.messages.all[dialog.at]?.failed);
  switch (key) {
    case "y": {
      const text = isWrites
        ? done && commandOf(done.write, state.session.actor)
        : state.messages.all[dialog.at]?.text;
      if (text === undefined) return step(state);
      return step(state, { effect: "copy", text });
    }
    case "e":
      return done?.state === "failed"
        ? tryAgain(state, done.id)
        : hint(state, "nothing failed there");
    default:
      return step({ ...state, dialog: undefined });
  }
}

/** Opens the refused form or prompt again, or sends the write again if nothing was typed. */
export function tryAgain(state: State, id: number): Step {
  const done = state.writes.sent.find((one) => one.id === id);
  if (done === undefined) return step(state);
  const batch = state.writes.sent.filter(
    (one) => one.batch.id === done.batch.id && one.state === "failed",
  );
  const quiet = withSlice(dismissFailure(state, id), "messages", { notice: undefined });
  const calm: State = { ...quiet, dialog: undefined };
  const { input } = done.batch;
  if (input?.dialog === "form")
    return andThen(formAgain(calm, input, [done, ...batch.filter((one) => one !== done)]), (now) =>
      step(now, ...readsAfterRefusal(now, batch)),
    );
  const uids = batch.flatMap(({ write }) => uidOf(write) ?? []);
  if (input?.dialog === "prompt")
    return step({ ...calm, dialog: { ...input, uids, label: labelFor(state, input, uids) } });
  return again(calm, batch);
}

/** The label of a prompt that is opened again. It names the issues that are left, which may be fewer than before. */
function labelFor(
  { issues }: State,
  { label, uids: before }: PromptDialog,
  uids: readonly string[],
): string {
  const about = (some: readonly string[]): string =>
    aboutAll(some.flatMap((uid) => issues.get(uid) ?? []));
  const was = about(before);
  return label.endsWith(was) ? label.slice(0, label.length - was.length) + about(uids) : label;
}

function again(state: State, batch: readonly SentWrite[]): Step {
  const [first] = batch;
  if (first?.write.act !== "close")
    return sendWrites(state, batch.map(({ write }) => write).toReversed());
  const issues = batch.flatMap(({ write }) => trueIssue(state, uidOf(write) ?? "") ?? []);
  return openNewForm(state, (id) => ({ ...closeForm(issues, id), error: first.text }));
}
