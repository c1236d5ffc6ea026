import { NO_FILTER } from "../issues/query.ts";
import { keyFor } from "../keymap.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { setQuery } from "./board.ts";
import { withoutMarks } from "./marks.ts";
import { leaveSearch } from "./search.ts";

/** Removes the marks, else leaves the search, else resets the filter. */
export function backOnBoard(state: State): Step {
  const { search, query } = state.board;
  if (state.marks.size > 0) return step(withoutMarks(state));
  if (search !== undefined) return step(leaveSearch(state));
  return step(query === NO_FILTER ? state : setQuery(state, NO_FILTER));
}

export function whyNoBack(state: State): string | undefined {
  const { search, query } = state.board;
  if (state.marks.size > 0 || search !== undefined || query !== NO_FILTER) return undefined;
  // The browser page has no key that quits.
  const quits = state.preferences.keys.some(({ command }) => command === "quit");
  return quits ? `this is the board: ${keyFor(state, "quit")} quits` : "this is the board";
}
