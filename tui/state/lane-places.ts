import { wrap } from "../text.ts";
import type { Issue } from "./issues.ts";
import { boardHeight, boardLayout, type Lane, lanesOf } from "./lanes.ts";
import type { Memo } from "./memo.ts";
import type { BoardState } from "./slices.ts";
import { type State, withBoard } from "./state.ts";

/** The cells of a lane, and which lanes are drawn: `count` of them, the first being number `first`. */
export interface LaneGrid {
  readonly first: number;
  readonly count: number;
  readonly width: number;
}

const MIN_LANE = 24;
const MAX_LANE = 60;
/** Below this one lane is shown at a time. */
const MANY_LANES = 80;
/** The mark of a card and the blank behind it stand left of its title. */
export const INDENT = 2;

/** As many lanes as the width holds; the one with the cursor is among them. */
export function gridOf(state: State): LaneGrid {
  const { lanes } = lanesOf(state);
  const whole = boardLayout(state).list?.width ?? MIN_LANE;
  const room = whole < MANY_LANES ? 1 : Math.floor((whole + 1) / (MIN_LANE + 1));
  const count = Math.max(1, Math.min(lanes.length, room));
  const width = room === 1 ? whole : Math.min(MAX_LANE, Math.floor((whole - (count - 1)) / count));
  const current = Math.max(0, laneAt(state, cursorRow(state)));
  const left = Math.max(current - count + 1, Math.min(state.board.left, current));
  return { first: Math.max(0, Math.min(left, lanes.length - count)), count, width };
}

export function cursorRow(state: State): number {
  return lanesOf(state).rowOf.get(state.board.cursor ?? "") ?? -1;
}

/** The number of the lane in which a row stands. */
export function laneAt(state: State, row: number): number {
  return lanesOf(state).lanes.findIndex(({ start, end }) => row >= start && row < end);
}

/** A card as it is drawn: which row of the board it is, and on which line of the lane it begins. */
export interface Card {
  readonly row: number;
  readonly line: number;
}

/** The cards of a lane that are on the screen, each lane scrolled by itself. */
export function cardsOf(state: State, lane: Lane): readonly Card[] {
  const room = boardHeight(state);
  const { row: at, line } = placeOf(state, lane);
  const size = sizeOf(state);
  const top = topOf(lane, at, line, room, size);
  const cards: Card[] = [];
  let next = 0;
  for (let row = top; row < lane.end && next < room; row += 1) {
    cards.push({ row, line: next });
    next += size(row);
  }
  return cards;
}

/** Where the lane is: at the cursor, or where it was left. */
function placeOf(state: State, lane: Lane): Card {
  const { line, places } = state.board;
  const { start, end } = lane;
  const isInside = (row: number): boolean => row >= start && row < end;
  const cursor = cursorRow(state);
  if (isInside(cursor)) return { row: cursor, line };
  const known = places.get(lane.name);
  if (known === undefined) return { row: start, line: 0 };
  const there = lanesOf(state).rowOf.get(known.uid) ?? -1;
  const row = isInside(there) ? there : Math.min(start + known.at, Math.max(start, end - 1));
  return { row, line: known.line };
}

type Size = (row: number) => number;

/** How many lines each card takes, with the blank line below it. */
function sizeOf(state: State): Size {
  const { rows } = lanesOf(state);
  const { width } = gridOf(state);
  return (row) => {
    const issue = rows[row]?.issue;
    return issue === undefined ? 0 : cardLines(state.memo, issue, width);
  };
}

/** The first card that is drawn when another is to stand on that line: no line is left blank that a card could fill. */
function topOf(lane: Lane, row: number, wished: number, room: number, size: Size): number {
  const line = Math.max(0, Math.min(wished, room - size(row) + 1));
  let [top, above] = [row, 0];
  while (top > lane.start && above + size(top - 1) <= line) above += size(--top);
  let below = -1;
  for (let at = row; at < lane.end && below < room; at += 1) below += size(at);
  while (top > lane.start && above + below + size(top - 1) <= room) above += size(--top);
  return top;
}

type Titles = WeakMap<Issue, { readonly width: number; readonly lines: readonly string[] }>;

function newTitles(): Titles {
  return new WeakMap();
}

/** The title over at most two lines; what is longer goes on behind the second and is cut when it is drawn. */
export function titleLines(memo: Memo, issue: Issue, width: number): readonly string[] {
  const titles = memo.own(newTitles);
  const known = titles.get(issue);
  if (known?.width === width) return known.lines;
  const { title, child_counts: children } = issue;
  const done = `${children.total - children.open}/${children.total}`;
  const text = children.total === 0 ? title : `${title} (${done})`;
  const [first = "", second, ...rest] = wrap(text.replaceAll(/\s+/g, " "), width - INDENT);
  const tail = second === undefined ? [] : [[second, ...rest].join(" ")];
  const lines = [first, ...tail];
  titles.set(issue, { width, lines });
  return lines;
}

function cardLines(memo: Memo, issue: Issue, width: number): number {
  return 2 + titleLines(memo, issue, width).length + (issue.labels.length > 0 ? 1 : 0);
}

/** Puts the cursor on a card of its lane or of another, which is left where it is drawn. */
export function toCard(state: State, row: number): State {
  const { rows, lanes } = lanesOf(state);
  const issue = rows[row]?.issue;
  const from = cursorRow(state);
  const lane = lanes[laneAt(state, row)];
  if (issue === undefined || lane === undefined)
    return withBoard(state, { cursor: undefined, line: 0 });
  const isSame = from >= lane.start && from < lane.end;
  const line = isSame ? lineBetween(state, from, row) : (lineOf(state, lane, row) ?? 0);
  const places = isSame ? state.board.places : leaving(state, from);
  return settled(withBoard(state, { cursor: issue.uid, line, places }));
}

/** The line counts that is drawn, and the lanes that are shown. */
export function settled(state: State): State {
  const { rows, lanes } = lanesOf(state);
  const row = cursorRow(state);
  const lane = lanes[laneAt(state, row)];
  const line = lane === undefined ? 0 : (lineOf(state, lane, row) ?? 0);
  const { first } = gridOf(state);
  return rows.length === 0 ? state : withBoard(state, { line, left: first });
}

/** The nearest lane to that side that has a card: the one that stands beside the cursor's. */
export function toLane(state: State, by: 1 | -1): State | undefined {
  const { lanes } = lanesOf(state);
  const from = laneAt(state, cursorRow(state));
  for (let at = from + by; at >= 0 && at < lanes.length; at += by) {
    const lane = lanes[at];
    if (lane === undefined || lane.end === lane.start) continue;
    const cards = cardsOf(state, lane);
    const beside = cards.findLast(({ line }) => line <= state.board.line) ?? cards[0];
    return beside === undefined ? undefined : toCard(state, beside.row);
  }
  return undefined;
}

/** The card that is drawn at a cell of the board, which begins below its header. */
export function cardAt(state: State, x: number, y: number): number | undefined {
  const { first, count, width } = gridOf(state);
  const place = Math.floor(x / (width + 1));
  const lane = lanesOf(state).lanes[first + place];
  if (place >= count || lane === undefined) return undefined;
  return cardsOf(state, lane).findLast(({ line }) => line <= y)?.row;
}

function lineOf(state: State, lane: Lane, row: number): number | undefined {
  return cardsOf(state, lane).find((card) => card.row === row)?.line;
}

/** How the line of the cursor changes on the way to another card, counted no further than the lane is high. */
function lineBetween(state: State, from: number, to: number): number {
  const size = sizeOf(state);
  const room = boardHeight(state);
  let { line } = state.board;
  for (let row = from; row < to && line < room; row += 1) line += size(row);
  for (let row = from; row > to && line > 0; row -= 1) line -= size(row - 1);
  return Math.max(0, Math.min(line, room));
}

function leaving(state: State, from: number): BoardState["places"] {
  const { lanes, rows } = lanesOf(state);
  const lane = lanes[laneAt(state, from)];
  const uid = rows[from]?.issue.uid;
  if (lane === undefined || uid === undefined) return state.board.places;
  const place = { uid, at: from - lane.start, line: state.board.line };
  return new Map(state.board.places).set(lane.name, place);
}
