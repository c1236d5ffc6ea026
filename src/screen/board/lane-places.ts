import { boardHeight } from "../lines.ts";
import { type State, withSlice } from "../state.ts";
import { type Lane, lanesOf } from "./lanes.ts";
import type { BoardState } from "./state.ts";

/** The lanes that are drawn: `count` lanes, beginning with number `first`. */
export interface LaneGrid {
  readonly first: number;
  readonly count: number;
}

/** Decides which lanes are drawn: as many as fit, with the cursor's lane among them. */
export function gridOf(state: State): LaneGrid {
  const { lanes } = lanesOf(state);
  const count = state.fit.lanes(state);
  const current = Math.max(0, laneAt(state, cursorRow(state)));
  const left = Math.max(current - count + 1, Math.min(state.board.left, current));
  return { first: Math.max(0, Math.min(left, lanes.length - count)), count };
}

export function cursorRow(state: State): number {
  return lanesOf(state).rowOf.get(state.board.cursor ?? "") ?? -1;
}

export function laneAt(state: State, row: number): number {
  return lanesOf(state).lanes.findIndex(({ start, end }) => row >= start && row < end);
}

/** A card on the screen: the index of its row, and the line of the lane on which it begins. */
export interface Card {
  readonly row: number;
  readonly line: number;
}

/** The cards of a lane that are drawn. Each lane has its own scroll position. */
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

/**
 * The card that decides how far a lane is scrolled, and the line on which it is drawn: the cursor's card if the cursor
 * is in the lane, else the card on which the cursor left the lane.
 */
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

function sizeOf(state: State): Size {
  const { rows } = lanesOf(state);
  const lines = state.fit.card(state);
  return (row) => {
    const issue = rows[row]?.issue;
    return issue === undefined ? 0 : lines(issue);
  };
}

/**
 * The index of the first card to draw, so that card `row` begins on line `wished`. Since only whole cards are scrolled
 * away, the card may begin a little above that line. It begins below that line only near the end of the lane, where
 * lines would otherwise stay empty.
 */
function topOf(lane: Lane, row: number, wished: number, room: number, size: Size): number {
  const line = Math.max(0, Math.min(wished, room - size(row) + 1));
  let [top, above] = [row, 0];
  while (top > lane.start && above + size(top - 1) <= line) above += size(--top);
  let below = -1;
  for (let at = row; at < lane.end && below < room; at += 1) below += size(at);
  while (top > lane.start && above + below + size(top - 1) <= room) above += size(--top);
  return top;
}

/**
 * Moves the cursor to the card with the index `row`. If the cursor leaves its lane, that lane keeps its scroll
 * position. If there is no such card, no card has the cursor.
 */
export function moveToCard(state: State, row: number): State {
  const { rows, lanes } = lanesOf(state);
  const issue = rows[row]?.issue;
  const from = cursorRow(state);
  const lane = lanes[laneAt(state, row)];
  if (issue === undefined || lane === undefined)
    return withSlice(state, "board", { cursor: undefined, line: 0 });
  const isSame = from >= lane.start && from < lane.end;
  const line = isSame ? lineBetween(state, from, row) : (lineOf(state, lane, row) ?? 0);
  const places = isSame ? state.board.places : leaving(state, from);
  return withCursorLine(withSlice(state, "board", { cursor: issue.uid, line, places }));
}

/** Stores on which line the cursor is drawn, and the number of the leftmost lane that is drawn. */
export function withCursorLine(state: State): State {
  const { rows, lanes } = lanesOf(state);
  const row = cursorRow(state);
  const lane = lanes[laneAt(state, row)];
  const line = lane === undefined ? 0 : (lineOf(state, lane, row) ?? 0);
  const { first } = gridOf(state);
  return rows.length === 0 ? state : withSlice(state, "board", { line, left: first });
}

/**
 * Moves the cursor to the nearest lane with cards to the left (`by` is -1) or to the right (`by` is 1). There the
 * cursor goes to the card at the same height. Returns `undefined` if no such lane exists.
 */
export function toLane(state: State, by: 1 | -1): State | undefined {
  const { lanes } = lanesOf(state);
  const from = laneAt(state, cursorRow(state));
  for (let at = from + by; at >= 0 && at < lanes.length; at += by) {
    const lane = lanes[at];
    if (lane === undefined || lane.end === lane.start) continue;
    const cards = cardsOf(state, lane);
    const beside = cards.findLast(({ line }) => line <= state.board.line) ?? cards[0];
    return beside === undefined ? undefined : moveToCard(state, beside.row);
  }
  return undefined;
}

/**
 * Stores how far a person has scrolled each lane, as the number of cards above its visible part (`above`). A key that
 * moves the cursor to another lane then goes to the card that the person sees beside the cursor.
 */
export function withScrolledLanes(state: State, above: ReadonlyMap<string, number>): State {
  const { lanes, rows } = lanesOf(state);
  const [cursor, size] = [cursorRow(state), sizeOf(state)];
  const places = new Map(state.board.places);
  let { line } = state.board;
  for (const { name, start, end } of lanes) {
    const at = above.get(name);
    if (at === undefined || start === end) continue;
    const top = Math.min(start + at, end - 1);
    const uid = rows[top]?.issue.uid;
    if (cursor >= start && cursor < end) {
      line = 0;
      for (let row = top; row < cursor; row += 1) line += size(row);
    } else if (uid !== undefined) places.set(name, { uid, at: top - start, line: 0 });
  }
  return withSlice(state, "board", { places, line: Math.min(line, boardHeight(state)) });
}

function lineOf(state: State, lane: Lane, row: number): number | undefined {
  return cardsOf(state, lane).find((card) => card.row === row)?.line;
}

/** The line on which the cursor is drawn after it moves between two cards of a lane; at most the height of the lane. */
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
