import { labelsOf, ownersOf, refsOf } from "./choices.ts";
import type { Field } from "./field.ts";
import { fieldOf } from "./field.ts";
import type { Completion, FormSheet, Found, PromptSheet } from "./sheet.ts";
import type { State } from "./state.ts";
import type { Effect } from "./step.ts";

const MAX_SUGGESTIONS = 20;

/** What the text of a prompt may become. */
export function suggestions({ choices, field, kind, found }: PromptSheet): readonly string[] {
  if (kind === "filter") {
    const part = field.text.split(" ").at(-1) ?? "";
    return part === "" ? [] : matching(choices, part, undefined);
  }
  return matching(choices, field.text, found);
}

/** What the field in focus may become; a field that is left as it is needs no suggestions. */
export function fieldSuggestions(state: State, sheet: FormSheet): readonly string[] {
  const field = sheet.fields[sheet.focus];
  if (field?.complete === undefined || field.locked === true) return [];
  const part = lastPart(field.complete, field.value.text);
  if (part === "" && sheet.choose === undefined) return [];
  const all = matching(CHOICES[field.complete](state), part, sheet.found);
  return all.length === 1 && all[0] === part ? [] : all;
}

const CHOICES: Readonly<Record<Completion, (state: State) => readonly string[]>> = {
  ref: refsOf,
  label: labelsOf,
  owner: ownersOf,
};

/** Whether the text is a part of what stands for an issue, and not yet its ref. */
export function isPartOfRef(text: string, choice = ""): boolean {
  const [ref = ""] = choice.split("  ", 1);
  return text !== "" && !ref.endsWith(text);
}

/** Whether tab and enter take a suggestion: the chosen one, or the only issue that is meant. */
export function takesSuggestion(state: State, sheet: FormSheet): boolean {
  if (sheet.choose !== undefined) return true;
  const field = sheet.fields[sheet.focus];
  const [only, ...others] = fieldSuggestions(state, sheet);
  return field?.complete === "ref" && others.length === 0 && isPartOfRef(field.value.text, only);
}

/** Several labels stand in one field, and the last of them is being typed. */
function lastPart(complete: Completion, text: string): string {
  return complete === "label" ? (text.split(/[\s,]+/).at(-1) ?? "") : text;
}

/** Choices that begin with the text, then those that contain it, then what the daemon found. */
function matching(
  choices: readonly string[],
  text: string,
  found: Found | undefined,
): readonly string[] {
  const part = text.toLowerCase();
  const begin: string[] = [];
  const contain: string[] = [];
  for (const choice of choices) {
    const at = choice.toLowerCase().indexOf(part);
    if (at === 0) begin.push(choice);
    else if (at > 0) contain.push(choice);
    if (begin.length === MAX_SUGGESTIONS) break;
  }
  const daemon = found?.text === text ? found.choices : [];
  return [...new Set([...begin, ...contain, ...daemon])].slice(0, MAX_SUGGESTIONS);
}

/** An issue is taken by its id, which stands before two blanks and the title. */
function wordOf(choice: string): string {
  return choice.split("  ", 1)[0] ?? choice;
}

export function completedPrompt({ kind, field }: PromptSheet, choice: string): Field {
  if (kind !== "filter") return fieldOf(wordOf(choice));
  return fieldOf([...field.text.split(" ").slice(0, -1), choice].join(" "));
}

export function completedField(complete: Completion, { text }: Field, choice: string): Field {
  if (complete !== "label") return fieldOf(wordOf(choice));
  const part = lastPart(complete, text);
  return fieldOf(`${text.slice(0, text.length - part.length)}${choice} `);
}

/** The next or previous suggestion, where there is any. */
export function chosenBy(
  choose: number | undefined,
  by: 1 | -1,
  count: number,
): number | undefined {
  if (count === 0) return undefined;
  if (choose === undefined) return by === 1 ? 0 : count - 1;
  const next = choose + by;
  return next < 0 || next >= count ? undefined : next;
}

/** What nothing loaded fits is looked for on the daemon: in the project that the text names, or the issue's own. */
export function findRef(state: State, text: string, near: number | undefined): readonly Effect[] {
  const part = text.trim();
  if (part.length < 2 || matching(refsOf(state), text, undefined).length > 0) return [];
  const [, name, rest] = /^([^#]+)#(.+)$/.exec(part) ?? [];
  const named = state.projects.find((project) => project.name === name)?.id;
  const project_id = named ?? near ?? state.scope.project?.id ?? state.projects[0]?.id;
  if (project_id === undefined) return [];
  return [{ effect: "complete", text, project_id, q: named === undefined ? part : (rest ?? part) }];
}
