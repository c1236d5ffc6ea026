import type { Issue } from "./board/issues.ts";
import type { Field } from "./forms/field.ts";

/**
 * What a painter says of a state: how much of it fits where it is drawn. The state itself knows no cells, no pixels and
 * no width of a character. Answers depend on the state alone.
 */
export interface Fit<State> {
  /** The board as it is shown now; nothing where only a word has room. */
  board(state: State): BoardFit | undefined;
  /** Whether there is room for an issue beside another screen than the board. */
  isWide(state: State): boolean;
  /** How many rows a key for a page goes in the lists of the other screens. */
  page(state: State): number;
  /** How many lines there are for views, projects, labels and owners. */
  browse(state: State): number;
  /** How many lanes stand side by side. */
  lanes(state: State): number;
  /** How many lines a card of the lanes takes, with what parts it from the next. */
  card(state: State): (issue: Issue) => number;
  /** The issue as it is read from top to bottom; nothing while nothing is known of it. */
  document(state: State, uid: string): DocumentFit | undefined;
  /** The definitions that are shown over the rows of cron. */
  versions(state: State): TextFit;
  /** Where the cursor of a longer text comes one line up or down. */
  vertical(state: State, field: Field, by: 1 | -1): Field;
}

export interface BoardFit {
  /** How many rows are seen at once. */
  readonly rows: number;
  /** Whether views and facets stand beside the list, and whether an issue does. */
  readonly browse: boolean;
  readonly detail: boolean;
}

export interface TextFit {
  readonly lines: number;
  /** How many of them are seen at once. */
  readonly height: number;
}

export interface DocumentFit extends TextFit {
  /** The issues that can be chosen in it, and on which line each stands. */
  readonly refs: readonly { readonly uid: string; readonly line: number }[];
  /** The line with the names of the sections. */
  readonly tabs: number;
}
