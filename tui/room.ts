import { isLanes } from "../src/screen/board/lanes.ts";
import type { State } from "../src/screen/state.ts";
import { type Layout, lanesLayout, layoutOf } from "./layout.ts";
import { clean, unreadLines, wrap } from "./text.ts";

const LEAD = " ! ";

export function errorLines({ messages: { notice }, window }: State): readonly string[] {
  if (notice?.tone !== "error") return [];
  const lines = wrap(clean(notice.text), window.columns - LEAD.length);
  return lines.map((line, at) => `${at === 0 ? LEAD : " ".repeat(LEAD.length)}${line}`);
}

/** An error message covers at most this part of the screen. */
const PART = 0.25;

/** Returns the number of lines for the message. An error may get more than one line, but not while a dialog is open. */
export function messageRows(state: State): number {
  if (state.dialog !== undefined) return 1;
  return Math.max(1, Math.min(errorLines(state).length, Math.floor(state.window.rows * PART)));
}

export function boardLayout(state: State): Layout {
  if (!isLanes(state)) return plainLayout(state);
  const stacked = plainLayout(state, "stacked");
  const { columns, rows } = state.window;
  return state.preferences.layout === "stacked" ? stacked : lanesLayout(stacked, columns, rows);
}

export function plainLayout(state: State, layout = state.preferences.layout): Layout {
  const { columns, rows } = state.window;
  return layoutOf(columns, rows, layout, messageRows(state));
}

/** How many lines the board has below its header. */
export function boardHeight(state: State): number {
  return Math.max((boardLayout(state).list?.height ?? 2) - 1, 1);
}

/**
 * Returns the number of lines of the browse pane below its header. A long error message does not reduce this number, so
 * it hides no choices.
 */
export function browseHeight({ window, preferences }: State): number {
  const { browse } = layoutOf(window.columns, window.rows, preferences.layout, 1);
  return Math.max(1, (browse?.height ?? 2) - 1);
}

/** Whether screens other than the board show an issue beside their list. */
export function isWide(state: State): boolean {
  return plainLayout(state).browse !== undefined;
}

/** The number of lines in which the fleet shows the holder under the cursor in full. */
const PREVIEW_LINES = 5;
/** The minimum height in lines at which the pane of the fleet shows the holder under the cursor in full. */
const PREVIEW_FROM = 14;

export function hasPreview(state: State): boolean {
  return (boardLayout(state).list?.height ?? 0) >= PREVIEW_FROM;
}

export function fleetHead({ fleet, window: { columns } }: State): number {
  return 1 + unreadLines(fleet.error, columns).length;
}

export function fleetHeight(state: State): number {
  const height = boardLayout(state).list?.height ?? 0;
  return Math.max(1, height - fleetHead(state) - (hasPreview(state) ? PREVIEW_LINES : 0));
}
