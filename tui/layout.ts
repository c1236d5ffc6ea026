import type { LayoutChoice } from "../src/screen/preferences/state.ts";

/** The place and size of a part of the screen, in cells. */
export interface Pane {
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  /** The list; `undefined` if the terminal is too small. */
  readonly list: Pane | undefined;
  readonly detail: Pane | undefined;
  readonly browse: Pane | undefined;
}

export const MIN_COLUMNS = 40;
export const MIN_ROWS = 10;
/**
 * The lines for title, status and keys. The message line is counted separately, because an error may need more lines.
 */
const CHROME_ROWS = 3;
const BROWSE_COLUMNS = 18;
const MAX_LIST_COLUMNS = 110;
/**
 * The minimum width of a list beside other panes. A list is narrower only if an issue would otherwise have too little
 * room.
 */
export const LIST_COLUMNS = 78;
const MIN_DETAIL_COLUMNS = 41;
/** The share of the width that a list gets beside an issue. */
const LIST_PART = 0.56;
/** The share of the width that a list gets beside an issue and the browse pane. */
const WIDE_LIST_PART = 0.62;
/** The minimum size of a terminal in which an issue is shown beside a list by default. */
const SPLIT_COLUMNS = 120;
const SPLIT_ROWS = 16;
/** The minimum size of a terminal in which an issue is shown beside a list if the person chose this layout. */
const NARROW_SPLIT_COLUMNS = 80;
const NARROW_SPLIT_ROWS = 12;
const WIDE_COLUMNS = 140;

export function layoutOf(
  columns: number,
  rows: number,
  choice: LayoutChoice,
  messageRows: number,
): Layout {
  if (columns < MIN_COLUMNS || rows < MIN_ROWS)
    return { list: undefined, detail: undefined, browse: undefined };
  const height = rows - CHROME_ROWS - messageRows;
  const whole = { x: 0, width: columns, height };
  const fits =
    choice === "split"
      ? columns >= NARROW_SPLIT_COLUMNS && rows >= NARROW_SPLIT_ROWS
      : columns >= SPLIT_COLUMNS && rows >= SPLIT_ROWS;
  if (choice === "stacked" || !fits) return { list: whole, detail: undefined, browse: undefined };
  if (columns < WIDE_COLUMNS) {
    const width = listWidth(columns, LIST_PART);
    return {
      list: { x: 0, width, height },
      detail: { x: width + 1, width: columns - width - 1, height },
      browse: undefined,
    };
  }
  const x = BROWSE_COLUMNS + 1;
  const width = listWidth(columns - x, WIDE_LIST_PART);
  return {
    browse: { x: 0, width: BROWSE_COLUMNS, height },
    list: { x, width, height },
    detail: { x: x + width + 1, width: columns - x - width - 1, height },
  };
}

function listWidth(whole: number, part: number): number {
  const share = Math.min(Math.floor(whole * part), MAX_LIST_COLUMNS);
  return Math.max(share, Math.min(LIST_COLUMNS, whole - 1 - MIN_DETAIL_COLUMNS));
}

const LANES_SPLIT_COLUMNS = 180;
const LANES_DETAIL_COLUMNS = 60;

/**
 * Returns the layout of a board with lanes. The lanes use the whole width, unless the terminal is so wide that four
 * lanes stay readable beside an issue.
 */
export function lanesLayout(stacked: Layout, columns: number, rows: number): Layout {
  const { list } = stacked;
  if (list === undefined || columns < LANES_SPLIT_COLUMNS || rows < SPLIT_ROWS) return stacked;
  const width = columns - LANES_DETAIL_COLUMNS - 1;
  const detail = { x: width + 1, width: LANES_DETAIL_COLUMNS, height: list.height };
  return { ...stacked, list: { ...list, width }, detail };
}
