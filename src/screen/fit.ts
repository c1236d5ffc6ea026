import type { Field } from "./field.ts";
import type { Issue } from "./issues/issues.ts";

/**
 * The painter (terminal or browser) says how much fits, since the state contains no cells, pixels or character widths.
 * Its answers depend on the state alone, except that the browser page measures the issue that it has drawn.
 */
export interface Fit<State> {
  /** How much of the board fits; `undefined` if there is no room for a board. */
  board(state: State): BoardFit | undefined;
  /** Whether an issue fits beside the list of a screen other than the board. */
  isWide(state: State): boolean;
  /** How many rows of the list fit on a screen other than the board. */
  page(state: State): number;
  /** How many lines the browse pane has. */
  browse(state: State): number;
  /** How many lanes fit side by side. */
  lanes(state: State): number;
  /** How many lines a card takes, including the gap below it. */
  card(state: State): (issue: Issue) => number;
  /** How many lines the detail of an issue has and how many fit; `undefined` while nothing is known of the issue. */
  document(state: State, uid: string): DocumentFit | undefined;
  /** How many lines the page of definitions on the cron screen has and how many fit. */
  versions(state: State): TextFit;
  /** Moves the cursor of a field with several lines of text up or down by one line. */
  vertical(state: State, field: Field, by: 1 | -1): Field;
}

export interface BoardFit {
  /** The number of visible rows. */
  readonly rows: number;
  /** Whether the browse pane is shown beside the list. */
  readonly browse: boolean;
  /** Whether the detail of an issue is shown beside the list. */
  readonly detail: boolean;
}

export interface TextFit {
  readonly lines: number;
  /** The number of visible lines. */
  readonly height: number;
}

export interface DocumentFit extends TextFit {
  /** The issues that can be chosen, each with its line. */
  readonly refs: readonly { readonly uid: string; readonly line: number }[];
  /** The line with the names of the sections, counted from 0. */
  readonly tabs: number;
}
