import { NO_FILTER } from "../issues/query.ts";
import { keyFor } from "../keymap.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { setQuery } from "./board.ts";
import { leaveSearch } from "./search.ts";

/** Removes the marks, else leaves the search, else resets the filter. */
export function backOnBoard(state: State): Step {
  const { marks, search, query } = state.board;
  if (marks.size > 0)
    return step(withSlice(state, "board", { marks: new Set(), anchor: undefined }));
  if (search !== undefined) return step(leaveSearch(state));
  return step(query === NO_FILTER ? state : setQuery(state, NO_FILTER));
}

export function whyNoBack(state: State): string | undefined {
  const { marks, search, query } = state.board;
  if (marks.size > 0 || search !== undefined || query !== NO_FILTER) return undefined;
  // The browser page has no key that quits.
  const quits = state.preferences.keys.some(({ command }) => command === "quit");
  return quits ? `this is the board: ${keyFor(state, "quit")} quits` : "this is the board";
}
