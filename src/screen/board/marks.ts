import { type State, withSlice } from "../state.ts";
import { boardRows, boundsOf, cursorIndex, moveBy, moveTo } from "./board.ts";

export function toggleMark(state: State): State {
  const { cursor, marks } = state.board;
  if (cursor === undefined) return state;
  const next = new Set(marks);
  if (!next.delete(cursor)) next.add(cursor);
  return moveBy(withSlice(state, "board", { marks: next, anchor: cursor }), 1);
}

/**
 * Moves the cursor to row `at` and marks the row, or removes its mark if it has one. With `range`, marks all matching
 * rows from the last mark to this row.
 */
export function markRow(state: State, at: number, range: boolean): State {
  const there = moveTo(state, at);
  if (range) return markRange(there);
  const { cursor, marks } = there.board;
  if (cursor === undefined) return there;
  const next = new Set(marks);
  if (!next.delete(cursor)) next.add(cursor);
  return withSlice(there, "board", { marks: next, anchor: cursor });
}

export function markRange(state: State): State {
  const { anchor, cursor, marks } = state.board;
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
  return withSlice(state, "board", { marks: new Set([...marks, ...range]), anchor: cursor });
}
