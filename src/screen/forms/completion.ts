import type { Effect } from "../effect.ts";
import { type Field, fieldOf } from "../field.ts";
import {
  authorsOf,
  labelsOf,
  levelsOf,
  ownerNames,
  projectNames,
  refsOf,
  wantedOwners,
} from "../issues/choices.ts";
import { namedIssue } from "../issues/names.ts";
import type { State } from "../state.ts";
import type { Completion, FormDialog, FoundChoices, PromptDialog } from "./dialog.ts";
import { formRecordOf } from "./form-record.ts";

export const MAX_SUGGESTIONS = 20;

/** Common recurrence rules, each with a description. A typed part of the description finds the rule too. */
const COMMON_RULES = [
  "FREQ=DAILY  every day",
  "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR  every working day",
  "FREQ=WEEKLY  every week, on the weekday of the first day",
  "FREQ=WEEKLY;BYDAY=MO  every Monday",
  "FREQ=WEEKLY;INTERVAL=2  every second week",
  "FREQ=MONTHLY  every month, on the same day",
  "FREQ=MONTHLY;BYMONTHDAY=-1  on the last day of every month",
  "FREQ=MONTHLY;BYDAY=1MO  on the first Monday of every month",
  "FREQ=MONTHLY;INTERVAL=3  every three months",
  "FREQ=YEARLY  every year",
];

interface Source {
  choices(state: State, dialog: FormDialog, part: string): readonly string[];
  /**
   * Set if only the offered choices are valid. A typed part of a choice is then enough if no other choice contains the
   * part.
   */
  readonly isAll?: true;
  /** Set if the field contains several values; the last one is being typed. */
  readonly isList?: true;
}

const SOURCES: Readonly<Record<Completion, Source>> = {
  ref: { choices: refsIn, isAll: true },
  label: { choices: labelsOf, isList: true },
  owner: { choices: ownerNames },
  project: { choices: projectNames, isAll: true },
  author: { choices: authorsOf, isAll: true },
  rule: { choices: () => COMMON_RULES },
  "wanted-label": { choices: wantedIn, isAll: true, isList: true },
  "wanted-owner": { choices: wantedOwners, isAll: true },
  "wanted-priority": { choices: levelsOf, isAll: true },
};

/**
 * Completions for the field in focus. If the field is empty, or its text is the only completion, none are shown until
 * an arrow key asks for all choices.
 */
export function fieldSuggestions(
  state: State,
  dialog: FormDialog,
  isAsked = dialog.choose !== undefined,
): readonly string[] {
  const field = dialog.fields[dialog.focus];
  if (field?.complete === undefined || field.locked === true) return [];
  const part = lastPart(field.complete, field.value.text);
  const choices = SOURCES[field.complete].choices(state, dialog, part);
  const fitting = matchingChoices(choices, part, dialog.found);
  const isRule = field.complete === "rule" && fitting.some((choice) => wordOf(choice) === part);
  const isDone = part === "" || isRule || (fitting.length === 1 && fitting[0] === part);
  if (!isDone) return fitting;
  return isAsked ? matchingChoices(choices, "", undefined) : [];
}

/**
 * The labels to choose. If the typed part begins with `-` (issues without the label), each choice begins with `-` too.
 */
function wantedIn(state: State, _dialog: FormDialog, part: string): readonly string[] {
  const sign = part.startsWith("-") ? "-" : "";
  return labelsOf(state).map((label) => `${sign}${label}`);
}

/** The issues that the form offers in a field for an issue. */
function refsIn(state: State, dialog: FormDialog): readonly string[] {
  return formRecordOf(state, dialog).refs?.(state, dialog) ?? refsOf(state);
}

/** True if the text is not the id of the choice (`web#abc4` or `abc4`), and may therefore be a part of its title. */
export function isPartOfRef(text: string, choice = ""): boolean {
  return text !== "" && !wordOf(choice).endsWith(text);
}

/**
 * Whether the key takes a suggestion:
 *
 * - Both keys take a suggestion that the person has chosen.
 * - Without a choice, a suggestion is taken only if it is the only one. In a field for an issue, the text must not be
 *   the issue's id already.
 * - Without a choice, tab takes a suggestion only if the field accepts no other values.
 */
export function takesSuggestion(state: State, dialog: FormDialog, key: "enter" | "tab"): boolean {
  if (dialog.choose !== undefined) return true;
  const field = dialog.fields[dialog.focus];
  if (field?.complete === undefined) return false;
  if (SOURCES[field.complete].isAll !== true && key === "tab") return false;
  const [only, ...others] = fieldSuggestions(state, dialog);
  if (only === undefined || others.length > 0) return false;
  return field.complete !== "ref" || isPartOfRef(field.value.text, only);
}

function lastPart(complete: Completion, text: string): string {
  return SOURCES[complete].isList === true ? (text.split(/[\s,]+/).at(-1) ?? "") : text;
}

/** Choices that begin with the text, then those that contain it, then what the daemon found. */
export function matchingChoices(
  choices: readonly string[],
  text: string,
  found: FoundChoices | undefined,
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

/** The part of a choice before two blanks, such as the id in `id  title`. */
export function wordOf(choice: string): string {
  return choice.split("  ", 1)[0] ?? choice;
}

export function completedField(complete: Completion, { text }: Field, choice: string): Field {
  if (SOURCES[complete].isList !== true) return fieldOf(wordOf(choice));
  const part = lastPart(complete, text);
  return fieldOf(`${text.slice(0, text.length - part.length)}${choice} `);
}

export function nextChoice(
  choose: number | undefined,
  by: 1 | -1,
  count: number,
): number | undefined {
  if (count === 0) return undefined;
  if (choose === undefined) return by === 1 ? 0 : count - 1;
  const next = choose + by;
  return next < 0 || next >= count ? undefined : next;
}

/**
 * If a text of at least two characters matches no loaded issue, asks the daemon. The daemon searches the project that
 * the text names, else the project `near`.
 */
export function findRef(state: State, text: string, near: number | undefined): readonly Effect[] {
  const part = text.trim();
  if (part.length < 2 || matchingChoices(refsOf(state), text, undefined).length > 0) return [];
  const [, name, rest] = /^([^#]+)#(.+)$/.exec(part) ?? [];
  const named = state.scope.projects.find((project) => project.name === name)?.id;
  const project_id = named ?? near ?? state.scope.project?.id ?? state.scope.projects[0]?.id;
  if (project_id === undefined) return [];
  return [{ effect: "complete", text, project_id, q: named === undefined ? part : (rest ?? part) }];
}

/**
 * Filters what the daemon found. Loaded issues that are not among the choices are left out, because the command does
 * not accept them.
 */
export function offeredChoices(
  state: State,
  dialog: FormDialog | PromptDialog,
  found: readonly string[],
): readonly string[] {
  const choices = dialog.dialog === "prompt" ? dialog.choices : refsIn(state, dialog);
  const here = new Set(choices.map(wordOf));
  return found.filter((choice) => {
    const name = wordOf(choice);
    return here.has(name) || namedIssue(state, name) === undefined;
  });
}
