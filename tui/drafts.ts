import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../src/base/folders.ts";
import { writeWhole } from "../src/base/whole-file.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import type { Draft } from "../src/screen/forms/dialog.ts";
import { draftForms, draftsOf } from "../src/screen/forms/drafts.ts";
import { draftFormNames } from "../src/screen/forms/form-record.ts";
import { SCREENS } from "../src/screen/screens.ts";
import type { State } from "../src/screen/state.ts";
import {
  type Check,
  count,
  instant,
  list,
  object,
  oneOf,
  optional,
  rows,
  text,
} from "./recording/checks.ts";
import { clean } from "./text.ts";

/**
 * The extension of a draft file. Each draft has its own file, so that screens that end at the same time do not
 * overwrite each other's drafts.
 */
const ENDING = ".json";

const one: Check = (value) => (value === 1 ? undefined : "must be 1");
/**
 * Checks the fields that are needed to draw and send a form. `draft` is the version of the format; files of other
 * versions are ignored.
 */
const KEPT = object({
  draft: one,
  at: instant,
  daemon: text,
  project: object({ id: count, name: text }),
  form: object({
    kind: object({ form: oneOf(...draftFormNames({ screens: SCREENS })) }),
    title: text,
    focus: count,
    notes: list(text),
    fields: rows({
      name: text,
      label: text,
      value: object({ text, at: count }),
      initial: text,
      lines: count,
      choices: optional(list(text)),
    }),
  }),
});

function isKept(value: unknown): value is Omit<Draft, "id"> {
  return KEPT(value) === undefined;
}

export function readDrafts(folder: string): readonly Draft[] {
  const drafts = filesIn(folder).flatMap((file) => readDraft(folder, file) ?? []);
  return drafts.toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(ENDING));
  } catch {
    return [];
  }
}

function readDraft(folder: string, file: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
    if (!isKept(kept)) return undefined;
    const { at, daemon, project, form } = kept;
    const id = file.slice(0, -ENDING.length);
    // Files of older versions have `sheet` instead of `dialog`, so set `dialog` here.
    return { id, at, daemon, project, form: { ...form, dialog: "form" } };
  } catch {
    return undefined;
  }
}

/** Saves unsent forms when a signal, a closed terminal or an error ends the screen. */
export class DraftKeeper {
  readonly #folder: string | undefined;
  readonly #get: () => State;
  #kept: readonly string[] = [];
  /** The text and the error of each draft that could not be saved, by the id of the draft. */
  readonly #lost = new Map<string, string>();

  constructor(folder: string | undefined, get: () => State) {
    this.#folder = folder;
    this.#get = get;
  }

  /** Saves the drafts synchronously, since the process may be killed at any time. */
  keep(): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    const drafts = draftsOf(this.#get());
    this.#kept = drafts.map(({ id }) => id);
    this.#lost.clear();
    for (const draft of drafts) {
      try {
        keepDraft(folder, draft);
      } catch (error) {
        // Do not throw if the folder is not writable, because the terminal must still be restored.
        this.#lost.set(draft.id, lostText(draft, textOf(error)));
      }
    }
  }

  /**
   * Ends the keeper after the daemon's last answer. Returns the texts of the drafts that could not be saved, to print
   * them on the terminal.
   * - If the person quit by a key (`isOutside` is false), all forms are given up and their saved drafts are removed.
   * - Otherwise the drafts are saved again, because an editor that was killed with the terminal returns its text only
   *   now. If the daemon has accepted a form since its draft was saved, the draft is removed.
   */
  close(isOutside: boolean): string {
    const kept = this.#kept;
    if (isOutside) this.keep();
    const state = this.#get();
    const still = isOutside ? draftsOf(state).map(({ id }) => id) : [];
    const left = draftForms(state).flatMap((form) => form.kept ?? []);
    for (const id of [...kept, ...left]) if (!still.includes(id)) this.#dropAtEnd(id);
    return still.map((id) => this.#lost.get(id) ?? "").join("");
  }

  #dropAtEnd(id: string): void {
    try {
      this.drop(id);
    } catch {
      // If the file cannot be removed, the next screen offers the draft again. The form keeps its idempotency key, so
      // sending it again creates nothing twice.
    }
  }

  drop(id: string): void {
    if (this.#folder !== undefined) rmSync(pathOf(this.#folder, id), { force: true });
  }
}

function lostText({ form }: Draft, why: string): string {
  const typed = form.fields.filter(({ value, initial }) => value.text !== initial);
  const lines = typed.flatMap(({ label, value }) => `${label}: ${value.text}`.split("\n"));
  return [`svc: a draft could not be kept: ${why}`, form.title, ...lines, ""]
    .map((line) => `${clean(line)}\n`)
    .join("");
}

function keepDraft(folder: string, { id, ...draft }: Draft): void {
  makeFolders(folder);
  writeWhole(pathOf(folder, id), `${JSON.stringify({ draft: 1, ...draft })}\n`);
}

function pathOf(folder: string, id: string): string {
  return join(folder, `${id}${ENDING}`);
}
