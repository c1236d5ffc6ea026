import { clamp } from "../scroll.ts";
import { isDraft, opened, projectIn, uidsIn } from "./forms.ts";
import { movedInList } from "./list-keys.ts";
import { trueIssue } from "./optimism.ts";
import { GONE } from "./sending.ts";
import type { Draft, FormSheet, Sheet } from "./sheet.ts";
import type { State } from "./state.ts";
import { hint, type Step, step } from "./step.ts";

/** The forms that hold what the daemon has not taken: the one that is open, and those that were sent. */
export function draftForms({ sheet, done, failed }: State): readonly FormSheet[] {
  const refused = new Set(failed.values());
  const sent = done.flatMap(({ id, state, batch: { input } }) =>
    input?.sheet === "form" && (state === "pending" || refused.has(id)) ? [input] : [],
  );
  const forms = [...sent, openForm(sheet) ?? []].flat();
  const byId = new Map(forms.map((form) => [form.id, form]));
  return [...byId.values()].filter((form) => form.kind.form !== "filter" && isDraft(form));
}

/** The form that is open, also under what is asked about it. */
export function openForm(sheet: Sheet | undefined): FormSheet | undefined {
  switch (sheet?.sheet) {
    case "form":
      return sheet;
    case "conflict":
      return sheet.form;
    case "quit":
      return openForm(sheet.under);
    case "confirm":
    case "type":
      return openForm(sheet.input);
    default:
      return undefined;
  }
}

/** What is to be kept when the screen is ended from outside. */
export function draftsOf(state: State): readonly Draft[] {
  const { now: at, daemon, session } = state;
  return draftForms(state).flatMap((form) => {
    const project = projectOf(state, form);
    if (project === undefined) return [];
    return [{ id: form.kept ?? `${session}-${form.id}`, at, daemon, project, form }];
  });
}

function projectOf(state: State, form: FormSheet): Draft["project"] | undefined {
  const { kind } = form;
  if (kind.form === "new") return projectIn(state, form) ?? kind.project;
  const issue = trueIssue(state, uidsIn(form)[0] ?? "");
  return issue && { id: issue.project_id, name: issue.project_name };
}

/** The kept drafts that can be sent from here. */
export function draftsHere({ drafts, daemon, scope }: State): readonly Draft[] {
  return drafts.filter((draft) => {
    const isShown = scope.project === undefined || scope.project.id === draft.project.id;
    return isShown && draft.daemon === daemon;
  });
}

/** Asks what shall become of them; nothing is put back by itself. */
export function offerDrafts(state: State): State {
  return draftsHere(state).length === 0 ? state : { ...state, sheet: { sheet: "drafts", at: 0 } };
}

export function inDrafts(
  state: State,
  sheet: Extract<Sheet, { sheet: "drafts" }>,
  key: string,
): Step {
  const here = draftsHere(state);
  const draft = here[sheet.at];
  const to = (at: number): Step =>
    step({ ...state, sheet: { ...sheet, at: clamp(at, here.length) } });
  switch (key) {
    case "enter":
      return draft === undefined ? step(state) : openDraft(state, draft);
    case "x": {
      const next = without(state, draft);
      return step(offerDrafts({ ...next, sheet: undefined }));
    }
    case "j":
    case "down":
      return to(sheet.at + 1);
    case "k":
    case "up":
      return to(sheet.at - 1);
    case "esc":
      return step({ ...state, sheet: undefined });
    default:
      // A key that was meant for the board decides nothing.
      return step(state);
  }
}

function openDraft(state: State, draft: Draft): Step {
  const isThere = uidsIn(draft.form).every((uid) => trueIssue(state, uid) !== undefined);
  if (!isThere) return hint(state, state.loading === "done" ? GONE : "its issue is not loaded yet");
  return opened(without(state, draft), (id) => {
    return { ...draft.form, id, kept: draft.id, saving: false, leaving: false };
  });
}

function without(state: State, draft: Draft | undefined): State {
  return { ...state, drafts: state.drafts.filter((one) => one !== draft) };
}

/** The drafts that have a file and may still be wanted: those that were not decided about, and those in hand. */
export function keptDrafts(state: State): readonly string[] {
  const inHand = draftForms(state).flatMap(({ kept }) => kept ?? []);
  return [...state.drafts.map(({ id }) => id), ...inHand];
}

/** A draft that was sent, discarded or dropped is not kept any longer. */
export function forgettingDrafts(before: State, next: Step): Step {
  const { state, effects } = next;
  if (state.sheet === before.sheet && state.done === before.done && state.failed === before.failed)
    return next;
  const still = keptDrafts(state);
  const gone = keptDrafts(before).filter((id) => !still.includes(id));
  if (gone.length === 0) return next;
  return {
    state,
    effects: [...effects, ...gone.map((id) => ({ effect: "drop-draft", id }) as const)],
  };
}
