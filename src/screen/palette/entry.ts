import { menuDialog } from "../forms/dialog.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";

/** A row of the palette: a command of the key table, or an entry of the palette's own. */
export interface Entry {
  readonly name: string;
  readonly keys: readonly string[];
  readonly label: string;
  /** Other names by which the entry is found. */
  readonly also?: string | undefined;
  readonly why: string | undefined;
  /** What the person may type after the name. */
  readonly argument: Argument | undefined;
  run(state: State): Step;
}

export interface Argument {
  /** The kind of the argument, in one word. */
  readonly what: string;
  choices(state: State, text: string): readonly string[];
  run(state: State, text: string): Step;
}

export function withPalette(state: State, text: string): State {
  return { ...state, dialog: menuDialog("palette", text) };
}

/** An entry that runs at once, or that asks for its argument if it is run without one. */
export function entry(name: string, label: string, what: Argument | Entry["run"]): Entry {
  const known = { name, keys: [], label, why: undefined };
  if (typeof what === "function") return { ...known, argument: undefined, run: what };
  return { ...known, argument: what, run: (state) => step(withPalette(state, `${name} `)) };
}
