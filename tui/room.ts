import { isLanes } from "../src/screen/board/lanes.ts";
import type { State } from "../src/screen/state.ts";
import { type Layout, lanesLayout, layoutOf } from "./layout.ts";
import { errorLines } from "./screens/errors.ts";
import { unreadLines } from "./text.ts";

/** At most this part of the screen tells what went wrong: what it is about stays in sight. */
const PART = 0.25;

/**
 * How many rows what was said takes from the rest: an error as many as it needs to be read where it happens, all else
 * one. What is asked for stands over these rows.
 */
export function messageRows(state: State): number {
  if (state.sheet !== undefined) return 1;
  return Math.max(1, Math.min(errorLines(state).length, Math.floor(state.window.rows * PART)));
}

/** What fits on the screen as the board is shown now. */
export function boardLayout(state: State): Layout {
  const { columns, rows } = state.window;
  const { layout } = state.preferences;
  return isLanes(state)
    ? lanesLayout(columns, rows, layout, messageRows(state))
    : plainLayout(state);
}

/** What fits where no lanes are. */
export function plainLayout(state: State): Layout {
  const { columns, rows } = state.window;
  const { layout } = state.preferences;
  return layoutOf(columns, rows, layout, messageRows(state));
}

/** Lines of the board below its header. */
export function boardHeight(state: State): number {
  return Math.max((boardLayout(state).list?.height ?? 2) - 1, 1);
}

/** Lines of views and facets below their own header. An error that takes some of them scrolls them, and takes no choice away. */
export function browseHeight({
  window: { columns, rows },
  preferences: { layout },
}: State): number {
  return Math.max(1, (layoutOf(columns, rows, layout, 1).browse?.height ?? 2) - 1);
}

/** Whether there is room for an issue beside another screen than the board. */
export function isWide(state: State): boolean {
  return plainLayout(state).browse !== undefined;
}

/** Below the holders stands the whole of the one under the cursor, where there is room for both. */
const PREVIEW_LINES = 5;
const PREVIEW_FROM = 14;

export function hasPreview(state: State): boolean {
  return (boardLayout(state).list?.height ?? 0) >= PREVIEW_FROM;
}

/** Lines above the holders. */
export function fleetHead({ fleet, window: { columns } }: State): number {
  return 1 + unreadLines(fleet.error, columns).length;
}

/** Lines of holders between those above and what stands below. */
export function fleetHeight(state: State): number {
  const height = boardLayout(state).list?.height ?? 0;
  return Math.max(1, height - fleetHead(state) - (hasPreview(state) ? PREVIEW_LINES : 0));
}
