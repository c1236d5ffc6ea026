import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../src/base/folders.ts";
import { writeWhole } from "../src/base/whole-file.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import { draftForms, draftsOf } from "../src/screen/forms/drafts.ts";
import type { Draft } from "../src/screen/forms/sheet.ts";
import type { State } from "../src/screen/state.ts";
import {
  type Check,
  count,
  instant,
  list,
  object,
  oneOf,
  optional,
  text,
} from "./recording/checks.ts";
import { clean } from "./text.ts";

/** Each draft has a file of its own, which only its owner reads: screens that end together take nothing from each other. */
const ENDING = ".json";

const one: Check = (value) => (value === 1 ? undefined : "must be 1");
const FORMS = ["new", "edit", "comment", "edit-comment", "dates", "close"] as const;

/**
 * What a form is drawn and sent by; the rest of it is as it was written. The number is that of how it is written: what
 * an svc of another number kept is left alone.
 */
const KEPT = object({
  draft: one,
  at: instant,
  daemon: text,
  project: object({ id: count, name: text }),
  form: object({
    sheet: oneOf("form"),
    kind: object({ form: oneOf(...FORMS) }),
    title: text,
    focus: count,
    notes: list(text),
    fields: list(
      object({
        name: text,
        label: text,
        value: object({ text, at: count }),
        initial: text,
        lines: count,
        choices: optional(list(text)),
      }),
    ),
  }),
});

function isKept(value: unknown): value is Omit<Draft, "id"> {
  return KEPT(value) === undefined;
}

/** The drafts in the folder, the newest first. */
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
    return { id: file.slice(0, -ENDING.length), at, daemon, project, form };
  } catch {
    return undefined;
  }
}

/** Keeps what is being typed when the screen is ended from outside: by a signal, a terminal that hangs up, an error. */
export class DraftKeeper {
  readonly #folder: string | undefined;
  readonly #get: () => State;
  #kept: readonly string[] = [];
  /** What could not be kept, by the draft's id, in words. */
  readonly #lost = new Map<string, string>();

  constructor(folder: string | undefined, get: () => State) {
    this.#folder = folder;
    this.#get = get;
  }

  /** At once: nobody knows how much time is left. */
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
        // A folder that cannot be written to must not keep the terminal from being restored.
        this.#lost.set(draft.id, lostText(draft, textOf(error)));
      }
    }
  }

  /**
   * When everything was answered: what was sent after all goes, and what the person left behind by a key of theirs. An
   * editor that ended with its terminal has handed over its text only now. Gives what the terminal is to say now that it
   * can: the drafts that are kept nowhere.
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
      // It is offered once more, under the key that it was sent with: nothing is made twice.
    }
  }

  drop(id: string): void {
    if (this.#folder !== undefined) rmSync(pathOf(this.#folder, id), { force: true });
  }
}

/** All that was typed, as it can be copied from a terminal. */
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
