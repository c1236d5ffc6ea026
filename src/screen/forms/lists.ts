import { type State, withSlice } from "../state.ts";
import { hint, type Step, step } from "../step.ts";
import { commandOf } from "../writes/command-line.ts";
import type { Done } from "../writes/done.ts";
import { looked } from "../writes/failed.ts";
import { trueIssue } from "../writes/optimism.ts";
import { uidOf } from "../writes/writes.ts";
import { send } from "../writes/writes-in-flight.ts";
import { closeForm } from "./close-form.ts";
import type { Sheet } from "./dialog.ts";
import { formAgain, opened } from "./forms.ts";
import { movedInList } from "./list-keys.ts";

type ListSheet = Extract<Sheet, { sheet: "list" }>;

/** The lines of this session: its writes as commands, or its messages. */
export function inList(state: State, sheet: ListSheet, key: string): Step {
  const isWrites = sheet.kind === "writes";
  const count = isWrites ? state.writes.done.length : state.messages.all.length;
  const at = movedInList(key, sheet.at, count);
  if (at !== undefined) return step({ ...state, sheet: { ...sheet, at } });
  const done = isWrites
    ? state.writes.done[sheet.at]
    : state.writes.done.find(({ id }) => id === state.messages.all[sheet.at]?.failed);
  switch (key) {
    case "y": {
      const text = isWrites
        ? done && commandOf(done.write, state.session.actor)
        : state.messages.all[sheet.at]?.text;
      if (text === undefined) return step(state);
      return step(state, { effect: "copy", text });
    }
    case "e":
      return done?.state === "failed"
        ? tryAgain(state, done.id)
        : hint(state, "nothing failed there");
    default:
      return step({ ...state, sheet: undefined });
  }
}

/** Opens what was refused with what was typed, or sends it again where nothing was typed. */
export function tryAgain(state: State, id: number): Step {
  const done = state.writes.done.find((one) => one.id === id);
  if (done === undefined) return step(state);
  const batch = state.writes.done.filter(
    (one) => one.batch.id === done.batch.id && one.state === "failed",
  );
  const quiet = withSlice(looked(state, id), "messages", { notice: undefined });
  const calm: State = { ...quiet, sheet: undefined };
  const { input } = done.batch;
  if (input?.sheet === "form")
    return formAgain(calm, input, [done, ...batch.filter((one) => one !== done)]);
  const uids = batch.flatMap(({ write }) => uidOf(write) ?? []);
  if (input?.sheet === "prompt") return step({ ...calm, sheet: { ...input, uids } });
  return again(calm, batch);
}

/** A close may need more words the second time; anything else is the same once more. */
function again(state: State, batch: readonly Done[]): Step {
  const [first] = batch;
  if (first?.write.act !== "close")
    return send(state, batch.map(({ write }) => write).toReversed());
  const issues = batch.flatMap(({ write }) => trueIssue(state, uidOf(write) ?? "") ?? []);
  return opened(state, (id) => ({ ...closeForm(issues, id), error: first.text }));
}
