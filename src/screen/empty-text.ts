import { keyFor } from "./keymap.ts";
import type { Command } from "./keys.ts";
import type { State } from "./state.ts";

/** What a screen without rows shows: why it is empty, and how to make the first row. */
export interface Empty {
  readonly why: string;
  /**
   * The keys that lead out of this state, as text. The text follows `why` and a colon. The browser page shows buttons
   * instead.
   */
  readonly how?: string;
  /** Further lines that name keys. The browser page leaves them out. */
  readonly byKey?: readonly string[];
  readonly next: readonly string[];
}

export function textsOf({ why, how, byKey = [], next }: Empty): readonly string[] {
  return [how === undefined ? why : `${why}: ${how}`, ...byKey, ...next];
}

export const LOADING: Empty = { why: "loading...", next: [] };

/** A button on a screen without rows. It runs a command or sets the filter. Only the browser page draws buttons. */
export type EmptyAct = { readonly label: string } & (
  | { readonly command: Command }
  | { readonly query: string }
);

export const CHOOSE_PROJECT: EmptyAct = { command: "projects", label: "Choose a project" };
export const NEW_PROJECT: EmptyAct = { command: "project-new", label: "New project" };
export const GO_TO_BOARD: EmptyAct = { command: "board", label: "Go to the board" };

export type KeyWord = (command: Command) => string;

/** The key of a command, as the texts of empty screens name it. */
export const keysOf =
  (state: State): KeyWord =>
  (command) =>
    keyFor(state, command);
