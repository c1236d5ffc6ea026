import type { Column } from "../src/screen/board/column-names.ts";
import { isLanes } from "../src/screen/board/lanes.ts";
import type { DocumentFit, Fit } from "../src/screen/fit.ts";
import type { LayoutChoice } from "../src/screen/preferences/state.ts";
import type { State } from "../src/screen/state.ts";

/** The widths in pixels at which the page changes its shape. */
const PANEL_FROM = 700;
const SIDE_FROM = 1100;
/** Lanes leave room for an issue beside them only here. */
const LANES_SIDE_FROM = 1700;

export const ROW_HEIGHT = 36;
/** A row that a thumb can hit. */
export const TALL_ROW_HEIGHT = 48;
/** The header above the list, and the bar below it on a phone. */
const HEADER_HEIGHT = 92;
const BAR_HEIGHT = 56;
/** Four lanes fit beside the sidebar in a window of 1,280. */
const LANE_LEAST = 256;
const LANE_MOST = 360;
/** Of the next lane so much is seen that a person knows of it. */
const LANE_PEEK = 28;
export const LANE_HEAD_HEIGHT = 40;
/** A card with the gap below it. */
export const CARD_HEIGHT = 112;
/** Lines of a card for the state, which places cards of different lanes beside each other. */
const CARD_LINES = 3;
const SIDEBAR_WIDTH = 216;
/** The unit in which the state scrolls an issue. */
export const LINE_HEIGHT = 20;

/**
 * `column`: one pane at a time; `panel`: an issue lies over the right half of the list; `side`: sidebar, list and issue
 * side by side.
 */
export type Shape = "column" | "panel" | "side";

export function shapeOf(width: number): Shape {
  if (width < PANEL_FROM) return "column";
  return width < SIDE_FROM ? "panel" : "side";
}

export function rowHeight(width: number): number {
  return shapeOf(width) === "column" ? TALL_ROW_HEIGHT : ROW_HEIGHT;
}

/** Whether the issue under the cursor is shown beside the list without being opened. */
export function isBeside(width: number, layout: LayoutChoice, lanes: boolean): boolean {
  if (layout === "stacked") return false;
  if (lanes) return width >= LANES_SIDE_FROM;
  return width >= (layout === "split" ? PANEL_FROM : SIDE_FROM);
}

function listHeight({ window: { columns: width, rows: height } }: State): number {
  return height - HEADER_HEIGHT - (shapeOf(width) === "column" ? BAR_HEIGHT : 0);
}

/** Rows of the list that are seen at once. */
export function rowsSeen(state: State): number {
  return Math.max(1, Math.floor(listHeight(state) / rowHeight(state.window.columns)));
}

function laneLinesSeen(state: State): number {
  const cards = (listHeight(state) - LANE_HEAD_HEIGHT) / CARD_HEIGHT;
  return Math.max(1, Math.floor(cards * CARD_LINES));
}

/** The width of each lane: all side by side if they fit, else as many as fit and the edge of the next. */
export function laneWidth(width: number, lanes: number): number {
  if (width <= 2 * LANE_PEEK) return 0;
  const fitting = Math.max(1, Math.floor(width / LANE_LEAST));
  const wanted = lanes <= fitting ? width / Math.max(1, lanes) : (width - LANE_PEEK) / fitting;
  return Math.floor(Math.min(LANE_MOST, wanted));
}

/** The least width of a title, as a part of the row, at which a further column is shown. */
const TITLE_PART = 0.5;
const FIXED_WIDTH = 100;
const WIDTHS: Readonly<Record<Column, number>> = {
  priority: 28,
  due: 56,
  owner: 116,
  labels: 150,
  age: 44,
  author: 116,
  created: 60,
};
const ID_WIDTH = 84;
/** The columns in the order in which they get room; they leave in the reverse order. */
const ORDER: readonly Column[] = ["priority", "owner", "due", "labels", "age", "author", "created"];

/** In a narrower row an owner is shown by initials alone. */
const NAMES_FROM = 640;
const INITIALS_WIDTH = 28;

export interface ColumnsShown {
  readonly columns: readonly Column[];
  readonly id: boolean;
  /** Whether people are shown by initials alone. */
  readonly initials: boolean;
}

/** The columns for which a row has room beside its title. The id comes last, since the open issue shows it too. */
export function columnsIn(width: number, wanted: readonly Column[]): ColumnsShown {
  let room = width * (1 - TITLE_PART) - FIXED_WIDTH;
  const columns: Column[] = [];
  const initials = width < NAMES_FROM;
  const widthOf = (column: Column): number =>
    initials && (column === "owner" || column === "author") ? INITIALS_WIDTH : WIDTHS[column];
  for (const column of ORDER.filter((one) => wanted.includes(one))) {
    room -= widthOf(column);
    if (room < 0 && column !== "priority") return { columns, id: false, initials };
    columns.push(column);
  }
  return { columns, id: room >= ID_WIDTH, initials };
}

/** What the page has measured of the issue that it shows, in lines of `LINE_HEIGHT`. */
export interface Measured {
  readonly uid: string;
  readonly document: DocumentFit;
}

/** Says what fits. The window's size decides, and of the issue in view what was measured when it was drawn. */
export function pageFit(measured: () => Measured | undefined): Fit<State> {
  return {
    board: (state) => {
      const { columns: width } = state.window;
      const { layout } = state.preferences;
      const browse = shapeOf(width) === "side";
      const lanes = isLanes(state);
      const rows = lanes ? laneLinesSeen(state) : rowsSeen(state);
      return { rows, browse, detail: isBeside(width, layout, lanes) };
    },
    isWide: ({ window: { columns } }) => shapeOf(columns) === "side",
    page: rowsSeen,
    browse: ({ window: { rows } }) => Math.max(12, Math.floor((rows - 200) / 30)),
    lanes: ({ window: { columns } }) => lanesSeen(columns),
    card: () => () => CARD_LINES,
    document: (_state, uid) => {
      const known = measured();
      return known?.uid === uid ? known.document : undefined;
    },
    versions: () => ({ lines: 0, height: 1 }),
    // An input of the page moves its own cursor.
    vertical: (_state, field) => field,
  };
}

function lanesSeen(width: number): number {
  const room = shapeOf(width) === "side" ? width - SIDEBAR_WIDTH : width;
  return Math.max(1, Math.floor(room / LANE_LEAST));
}
