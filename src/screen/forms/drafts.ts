import { hint } from "../messages/messages.ts";
import { clamp } from "../scroll.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { trueIssue } from "../writes/optimism.ts";
import { GONE } from "../writes/sending.ts";
import type { Dialog, Draft, FormDialog } from "./dialog.ts";
import { formRecordOf, projectOfForm } from "./form-record.ts";
import { isDraft, openNewForm, uidsIn } from "./forms.ts";
import { movedInList } from "./list-keys.ts";

/** Forms with text that the daemon does not have yet: the open form, and the forms in flight or refused. */
export function draftForms(state: State): readonly FormDialog[] {
  const sent = state.writes.sent.flatMap((one) =>
    one.state === "pending" && one.batch.input?.dialog === "form" ? [one.batch.input] : [],
  );
  const forms = onceEach([
    ...sent,
    ...refusedForms(state),
    ...[openForm(state.dialog) ?? []].flat(),
  ]);
  return forms.filter((form) => formRecordOf(state, form).isNoDraft !== true && isDraft(form));
}

/** Forms with a refused write that the person has not seen yet. */
export function refusedForms({ writes: { sent, failed } }: State): readonly FormDialog[] {
  const refused = new Set(failed.values());
  return onceEach(
    sent.flatMap(({ id, batch: { input } }) =>
      input?.dialog === "form" && refused.has(id) ? [input] : [],
    ),
  );
}

/** Returns each form once, in its last version. */
function onceEach(forms: readonly FormDialog[]): readonly FormDialog[] {
  return [...new Map(forms.map((form) => [form.id, form])).values()];
}

export function openForm(dialog: Dialog | undefined): FormDialog | undefined {
  switch (dialog?.dialog) {
    case "form":
      return dialog;
    case "conflict":
      return dialog.form;
    case "quit":
      return openForm(dialog.under);
    case "confirm":
    case "type":
      return openForm(dialog.input);
    default:
      return undefined;
  }
}

/** The drafts to save when the screen is ended from outside. */
export function draftsOf(state: State): readonly Draft[] {
  return [...typedDrafts(state), ...waitingDrafts(state)];
}

/** Drafts of this session for another daemon. They are not saved in a file yet. */
export function waitingDrafts({
  writes: { drafts },
  session: { id: session },
}: State): readonly Draft[] {
  return drafts.filter(({ id }) => id.startsWith(`${session}-`));
}

export function typedDrafts(state: State): readonly Draft[] {
  const { now: at } = state;
  const { daemon } = state.connection;
  const { id: session } = state.session;
  return draftForms(state).flatMap((form) => {
    const project = projectOfForm(state, form);
    if (project === undefined) return [];
    return [{ id: form.kept ?? `${session}-${form.id}`, at, daemon, project, form }];
  });
}

export function draftsHere({
  writes: { drafts },
  connection: { daemon },
  scope,
}: State): readonly Draft[] {
  return drafts.filter((draft) => {
    const isShown = scope.project === undefined || scope.project.id === draft.project.id;
    return isShown && draft.daemon === daemon;
  });
}

export function offerDrafts(state: State, at = 0): State {
  const { length } = draftsHere(state);
  const dialog = { dialog: "drafts", at: clamp(at, length) } as const;
  return { ...state, dialog: length === 0 ? undefined : dialog };
}

export function onDraftsKey(
  state: State,
  dialog: Extract<Dialog, { dialog: "drafts" }>,
  key: string,
): Step {
  const here = draftsHere(state);
  const at = movedInList(key, dialog.at, here.length);
  if (at !== undefined) return step({ ...state, dialog: { ...dialog, at } });
  const draft = here[dialog.at];
  switch (key) {
    case "enter":
      return draft === undefined ? step(state) : openDraft(state, draft);
    case "x":
      return step(offerDrafts(without(state, draft), dialog.at));
    case "esc":
      return step({ ...state, dialog: undefined });
    default:
      // Other keys do nothing, because they may have been meant for the board.
      return step(state);
  }
}

function openDraft(state: State, draft: Draft): Step {
  const isThere = uidsIn(draft.form).every((uid) => trueIssue(state, uid) !== undefined);
  if (!isThere)
    return hint(state, state.loading.stage === "done" ? GONE : "its issue is not loaded yet");
  return openNewForm(without(state, draft), (id) => {
    const calm = { saving: false, leaving: false, word: undefined, choose: undefined };
    // If the error says that nothing was sent, it is removed, because the form can be sent again.
    const answered = draft.form.isUnsent === true ? { error: undefined, isUnsent: false } : {};
    return { ...draft.form, ...calm, ...answered, id, kept: draft.id };
  });
}

function without(state: State, draft: Draft | undefined): State {
  return withSlice(state, "writes", { drafts: state.writes.drafts.filter((one) => one !== draft) });
}

/**
 * The ids of drafts whose files are still needed: drafts that the person has not decided about, and drafts whose form
 * is open, in flight or refused.
 */
export function keptDrafts(state: State): readonly string[] {
  const inHand = draftForms(state).flatMap(({ kept }) => kept ?? []);
  return [...state.writes.drafts.map(({ id }) => id), ...inHand];
}

/** Deletes the files of drafts that were sent or discarded. */
export function dropUnneededDrafts(before: State, next: Step): Step {
  const { state, effects } = next;
  if (
    state.dialog === before.dialog &&
    state.writes.sent === before.writes.sent &&
    state.writes.failed === before.writes.failed
  )
    return next;
  const still = keptDrafts(state);
  const gone = keptDrafts(before).filter((id) => !still.includes(id));
  if (gone.length === 0) return next;
  return {
    state,
    effects: [...effects, ...gone.map((id) => ({ effect: "drop-draft", id }) as const)],
  };
}
