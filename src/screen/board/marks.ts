import { type State, withSlice } from "../state.ts";
import { toggleInSet } from "../toggle-in-set.ts";
import { boardRows, boundsOf, cursorIndex, moveBy, moveTo } from "./board.ts";

export function toggleMark(state: State): State {
  const { cursor } = state.board;
  return cursor === undefined ? state : moveBy(withToggled(state, cursor), 1);
}

/**
 * Moves the cursor to row `at` and marks the row, or removes its mark if it has one. With `range`, marks all matching
 * rows from the last mark to this row.
 */
export function markRow(state: State, at: number, range: boolean): State {
  const there = moveTo(state, at);
  if (range) return markRange(there);
  const { cursor } = there.board;
  return cursor === undefined ? there : withToggled(there, cursor);
}

function withToggled(state: State, uid: string): State {
  return withSlice({ ...state, marks: toggleInSet(state.marks, uid) }, "board", { anchor: uid });
}

export function withoutMarks(state: State): State {
  return withSlice({ ...state, marks: new Set() }, "board", { anchor: undefined });
}

export function markRange(state: State): State {
  const { anchor, cursor } = state.board;
  if (cursor === undefined) return state;
  const rows = boardRows(state);
  const to = cursorIndex(state);
  const { start, end } = boundsOf(state);
  const from = rows
    .slice(0, end)
    .findIndex(({ issue }, at) => at >= start && issue.uid === (anchor ?? cursor));
  const [low, high] = from === -1 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  const range = rows
    .slice(low, high + 1)
    .filter(({ context, issue }) => !context || issue.uid === cursor)
    .map(({ issue }) => issue.uid);
  const marks = new Set([...state.marks, ...range]);
  return withSlice({ ...state, marks }, "board", { anchor: cursor });
}
