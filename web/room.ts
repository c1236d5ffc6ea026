import type { Column } from "../src/screen/board/column-names.ts";
import { isLanes } from "../src/screen/board/lanes.ts";
import type { DocumentFit, Fit } from "../src/screen/fit.ts";
import type { LayoutChoice } from "../src/screen/preferences/state.ts";
import type { State } from "../src/screen/state.ts";

/** From this width in pixels on, the page shows an issue over a part of the list. */
const PANEL_FROM = 700;
/** From this width in pixels on, the page shows sidebar, list and issue side by side. */
const SIDE_FROM = 1100;
/** From this width in pixels on, there is room for an issue beside lanes. */
const LANES_SIDE_FROM = 1700;

export const ROW_HEIGHT = 36;
/** The height in pixels of a row on a phone, where a thumb has to hit it. */
export const TALL_ROW_HEIGHT = 48;
/** The height in pixels of the header above the list. */
const HEADER_HEIGHT = 92;
/** The height in pixels of the bar below the list, which is shown on a phone only. */
const BAR_HEIGHT = 56;
/** The least width of a lane in pixels. Four lanes fit beside the sidebar in a window 1,280 pixels wide. */
const LANE_LEAST = 256;
const LANE_MOST = 360;
/**
 * If not all lanes fit, this many pixels of the next lane are seen, so that a person knows that there are more lanes.
 */
const LANE_PEEK = 28;
export const LANE_HEAD_HEIGHT = 40;
/** The height in pixels of a card and the gap below it. */
export const CARD_HEIGHT = 112;
/** The height of a card in lines. The state counts in lines to find the card beside the cursor in the next lane. */
const CARD_LINES = 3;
const SIDEBAR_WIDTH = 216;
/** The height of a line in pixels. The state counts the scroll position of an issue in lines. */
export const LINE_HEIGHT = 20;

/**
 * How the page places its panes:
 * - `column`: one pane at a time
 * - `panel`: an issue lies over the right half of the list
 * - `side`: sidebar, list and issue side by side
 */
export type Shape = "column" | "panel" | "side";

export function shapeOf(width: number): Shape {
  if (width < PANEL_FROM) return "column";
  return width < SIDE_FROM ? "panel" : "side";
}

export function rowHeight(width: number): number {
  return shapeOf(width) === "column" ? TALL_ROW_HEIGHT : ROW_HEIGHT;
}

/** The height in pixels of a person's lane on the fleet screen. On a phone the name stands above the cards. */
export function fleetLaneHeight(width: number): number {
  return shapeOf(width) === "column" ? 124 : 88;
}

/**
 * The width in pixels that a lane needs beside its cards: for the name, and for the button that leads to the cards that
 * do not fit.
 */
const FLEET_SIDES = { column: 24 + 44, panel: 220 + 56, side: 220 + 56 };
const FLEET_CARD = { column: 138, panel: 190, side: 190 };

/** How many of a person's cards fit into a lane `lane` pixels wide. `window` is the width of the whole window. */
export function cardsInLane(lane: number, window: number): number {
  const shape = shapeOf(window);
  return Math.max(1, Math.floor((lane - FLEET_SIDES[shape]) / FLEET_CARD[shape]));
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

export function rowsSeen(state: State): number {
  return Math.max(1, Math.floor(listHeight(state) / rowHeight(state.window.columns)));
}

function laneLinesSeen(state: State): number {
  const cards = (listHeight(state) - LANE_HEAD_HEIGHT) / CARD_HEIGHT;
  return Math.max(1, Math.floor(cards * CARD_LINES));
}

/** The width of each lane. If not all lanes fit, the edge of the next one is seen beside those that fit. */
export function laneWidth(width: number, lanes: number): number {
  if (width <= 2 * LANE_PEEK) return 0;
  const fitting = Math.max(1, Math.floor(width / LANE_LEAST));
  const wanted = lanes <= fitting ? width / Math.max(1, lanes) : (width - LANE_PEEK) / fitting;
  return Math.floor(Math.min(LANE_MOST, wanted));
}

/** The title keeps at least this part of a row's width. A column that would leave less for the title is not shown. */
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
/** The columns in the order in which they get room. In a narrow row, the last ones are left out first. */
const ORDER: readonly Column[] = ["priority", "owner", "due", "labels", "age", "author", "created"];

/** In a row narrower than this, people are shown by initials alone. */
const NAMES_FROM = 640;
const INITIALS_WIDTH = 28;

export interface ColumnsShown {
  readonly columns: readonly Column[];
  readonly id: boolean;
  readonly initials: boolean;
}

/**
 * The columns for which a row has room beside its title. The id gets room last, because the open issue shows it too.
 */
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

/** The measures of the issue that the page shows, in lines that are `LINE_HEIGHT` pixels high. */
export interface MeasuredIssue {
  readonly uid: string;
  readonly document: DocumentFit;
}

/**
 * Tells the state how much fits on the page. This depends on the window's size and, for the issue in view, on how high
 * it was when it was last drawn.
 */
export function pageFit(measured: () => MeasuredIssue | undefined): Fit<State> {
  return {
    board: (state) => {
      const { columns: width } = state.window;
      const { layout } = state.preferences;
      const browse = shapeOf(width) === "side";
      const lanes = state.screen === "board" && isLanes(state);
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
    // The browser itself moves the cursor in an input, so the state changes nothing.
    vertical: (_state, field) => field,
  };
}

function lanesSeen(width: number): number {
  const room = shapeOf(width) === "side" ? width - SIDEBAR_WIDTH : width;
  return Math.max(1, Math.floor(room / LANE_LEAST));
}
