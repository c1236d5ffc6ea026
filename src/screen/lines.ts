import { screenOf } from "./screen.ts";
import { clamp } from "./scroll.ts";
import type { State } from "./state.ts";
import { type Step, step } from "./step.ts";

/** How many rows or lines of cards the board has on the screen. */
export function boardHeight(state: State): number {
  return state.fit.board(state)?.rows ?? 1;
}

export function rowCount(state: State): number {
  return screenOf(state).rows.count(state);
}

/** The index of the cursor's row; -1 on a board without a cursor. */
export function cursorOf(state: State): number {
  return screenOf(state).rows.cursor(state);
}

export function moveLines(state: State, by: number): Step {
  const { move, count, cursor, withCursor } = screenOf(state).rows;
  if (move !== undefined) return move(state, by);
  const rows = count(state);
  return step(rows === 0 ? state : withCursor(state, clamp(cursor(state) + by, rows)));
}

/**
 * Moves the cursor of the screen's list to the row of an issue. Returns `undefined` if no row is about this issue. A
 * row that the board shows only as context of other rows does not count.
 */
export function cursorTo(state: State, uid: string): State | undefined {
  const { issues, cursor, withCursor } = screenOf(state).rows;
  const rows = issues(state);
  if (rows[cursor(state)] === uid) return state;
  const at = rows.indexOf(uid);
  return at === -1 ? undefined : withCursor(state, at);
}

/**
 * Whether the screen has read all rows of its list that it reads by itself. It reads further rows only when the person
 * asks for them.
 */
export function isListRead(state: State): boolean {
  return screenOf(state).rows.isRead(state);
}

/** Applies a change of the issues. The cursor of each list of issues stays on its row. */
export function keepingCursors(
  state: State,
  change: (state: State) => State,
  isPage = false,
): State {
  const apply = state.screens.reduce(
    (inner, { keepingCursor }) =>
      keepingCursor === undefined ? inner : (now: State) => keepingCursor(now, inner, isPage),
    change,
  );
  return apply(state);
}
