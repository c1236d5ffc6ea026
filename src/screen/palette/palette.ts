import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { type Argument, type Entry, withPalette } from "./entry.ts";
import { fuzzyScore } from "./fuzzy.ts";
import { entriesOf } from "./palette-entries.ts";

export interface PaletteRow {
  readonly entry: Entry;
  /** An argument that the row offers for the entry; `undefined` if the row offers the entry itself. */
  readonly choice: string | undefined;
}

/**
 * Finds the entry that takes an argument and whose name is the beginning of the text. Returns the entry, its argument,
 * and the text after the name.
 */
function typedIn(
  state: State,
  text: string,
): { readonly entry: Entry; readonly argument: Argument; readonly text: string } | undefined {
  const typed = text.trimStart().toLowerCase();
  const [entry] = entriesOf(state)
    .filter(({ name, argument }) => argument !== undefined && typed.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length);
  if (entry?.argument === undefined) return undefined;
  return { entry, argument: entry.argument, text: text.trimStart().slice(entry.name.length + 1) };
}

const MAX_CHOICES = 20;

/**
 * The rows that the palette shows for a text:
 *
 * - If the text begins with the name of an entry that takes an argument, a row for the entry and a row for each
 *   argument to offer.
 * - Otherwise the entries that match the text, the best first.
 */
export function paletteRows(state: State, text: string): readonly PaletteRow[] {
  const typed = typedIn(state, text);
  if (typed !== undefined) {
    const { entry, argument } = typed;
    const choices = matching(argument.choices(state, typed.text), typed.text);
    return [{ entry, choice: undefined }, ...choices.map((choice) => ({ entry, choice }))];
  }
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = entriesOf(state).flatMap((entry) => {
    const byName = fuzzyScore(text, entry.name);
    const { label, keys, also = "" } = entry;
    const rest = `${label} ${keys.join(" ")} ${also}`.toLowerCase();
    const byWords = words.every((word) => rest.includes(word));
    if (byName === undefined && !byWords) return [];
    return [{ entry, score: words.length === 0 ? 0 : (byName ?? DESCRIPTION_SCORE) }];
  });
  const weight = ({ entry, score }: (typeof scored)[number]): number =>
    entry.why === undefined ? score : score - DISABLED;
  return scored
    .sort((a, b) => weight(b) - weight(a))
    .map(({ entry }) => ({ entry, choice: undefined }));
}

/** How much lower an entry ranks if it cannot run. */
const DISABLED = 5;
/** The score of an entry of which only the description matches. Every match of a name has a higher score. */
const DESCRIPTION_SCORE = -1000;

function matching(choices: readonly string[], text: string): readonly string[] {
  const part = text.toLowerCase();
  const begin = choices.filter((choice) => choice.toLowerCase().startsWith(part));
  const contain = choices.filter(
    (choice) =>
      !choice.toLowerCase().startsWith(part) && choice.toLowerCase().includes(lastWord(part)),
  );
  return [...begin, ...contain].slice(0, MAX_CHOICES);
}

/** The last word of the typed text, because a filter is completed word by word. */
function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(" ") + 1);
}

/** Completes the name of the entry at this row or, if the name is complete, its argument. */
export function completeInPalette(state: State, text: string, at: number): State {
  const rows = paletteRows(state, text);
  const row = rows[at];
  if (row === undefined) return state;
  const { entry } = row;
  if (typedIn(state, text) === undefined)
    return withPalette(state, entry.argument === undefined ? entry.name : `${entry.name} `);
  const choice = row.choice ?? rows[1]?.choice;
  return choice === undefined
    ? state
    : withPalette(state, `${entry.name} ${withChoice(state, text, entry, choice)}`);
}

/**
 * The argument with the choice filled in. In a filter, the choice replaces only the last word. The explanation after a
 * choice's value is left out.
 */
function withChoice(state: State, text: string, { name }: Entry, choice: string): string {
  const [value = choice] = choice.split("  ", 1);
  if (name !== "filter") return value;
  const before = typedIn(state, text)?.text.split(" ").slice(0, -1) ?? [];
  return [...before, value].join(" ");
}

export function chooseInPalette(state: State, text: string, at: number): Step {
  const row = paletteRows(state, text)[at];
  if (row === undefined) return step(state);
  const { entry, choice } = row;
  if (entry.why !== undefined) return hint(state, entry.why);
  const typed = typedIn(state, text);
  if (typed === undefined) return entry.run(state);
  const argument =
    choice === undefined ? typed.text.trim() : withChoice(state, text, entry, choice);
  return argument === "" ? entry.run(state) : typed.argument.run(state, argument);
}
