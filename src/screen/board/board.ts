import type { Issues } from "../issues/issues.ts";
import { parseQuery, STATUSES, withStatus } from "../issues/query.ts";
import { orderOf, reverseSort, type Sort, USUAL_ORDERS } from "../issues/sort.ts";
import { boardHeight } from "../lines.ts";
import { clamp, cycle } from "../scroll.ts";
import { type State, withSlice } from "../state.ts";
import { type BoardLine, groupAt, groupsOf, isGrouped } from "./groups.ts";
import { cardsOf, laneAt, moveToCard, withCursorLine } from "./lane-places.ts";
import { isLanes, lanesOf } from "./lanes.ts";
import type { Row } from "./order.ts";
import { rowsOf } from "./rows.ts";
import { GROUPED_VIEWS, USUAL_VIEWS, type View } from "./state.ts";

export function boardRows(state: State): readonly Row[] {
  const { memo, issues, board, now, preferences } = state;
  const { truth } = state.writes;
  if (isLanes(state)) return lanesOf(state).rows;
  if (isGrouped(state)) return groupsOf(state).rows;
  const { query, view, order, folded, search } = board;
  if (search?.found !== undefined)
    return memo.last(foundRows, { found: search.found, meant: search.meant, issues });
  const flat = view === "flat";
  return rowsOf({ memo, issues, truth, query, flat, order, folded, now, preferences });
}

/** The lines of the list: its rows and, in a grouped view, its headings. */
export function boardLines(state: State): readonly BoardLine[] {
  return isGrouped(state) ? groupsOf(state).lines : boardRows(state);
}

/**
 * Returns the index in `boardLines` of the line with this row; -1 if there is no such row. `boardLines` also contains
 * headings.
 */
export function lineOf(state: State, row: number): number {
  if (!isGrouped(state)) return row;
  const group = groupAt(groupsOf(state), row);
  return group === undefined ? -1 : group.line + 1 + row - group.start;
}

interface Found {
  readonly found: readonly string[];
  readonly meant: ReadonlySet<string>;
  readonly issues: Issues;
}

/** The rows of a search, best match first. Issues that are no longer loaded are left out. */
function foundRows({ found, meant, issues }: Readonly<Found>): readonly Row[] {
  return found.flatMap((uid): readonly Row[] => {
    const issue = issues.get(uid);
    if (issue === undefined) return [];
    const row: Row = { issue, depth: 0, context: false, fold: "leaf" };
    return [meant.has(uid) ? { ...row, meant: true } : row];
  });
}

/** The rows that the cursor can reach: with lanes the rows of the cursor's lane, else all rows. */
export function boundsOf(state: State): { readonly start: number; readonly end: number } {
  if (!isLanes(state)) return { start: 0, end: boardRows(state).length };
  return lanesOf(state).lanes[laneAt(state, cursorIndex(state))] ?? { start: 0, end: 0 };
}

export function pageOf(state: State): number {
  if (!isLanes(state)) return boardHeight(state) - 1;
  const lane = lanesOf(state).lanes[laneAt(state, cursorIndex(state))];
  return lane === undefined ? 1 : Math.max(1, cardsOf(state, lane).length - 1);
}

export function cursorIndex(state: State): number {
  const { cursor } = state.board;
  return state.memo.last(indexIn, { rows: boardRows(state), cursor });
}

function indexIn({
  rows,
  cursor,
}: Readonly<{ rows: readonly Row[]; cursor: string | undefined }>): number {
  return rows.findIndex(({ issue }) => issue.uid === cursor);
}

/**
 * The first line of the list to draw. The cursor's issue is drawn `board.line` lines below this first line. Near the
 * ends of the list it is drawn further up or down, so that lines stay empty only if the list is too short.
 */
export function topLine(state: State): number {
  const count = boardLines(state).length;
  const index = Math.max(lineOf(state, cursorIndex(state)), 0);
  return Math.max(0, Math.min(index - lineIn(state, state.board.line), count - boardHeight(state)));
}

/**
 * The line of the screen that is nearest to `line` and on which the cursor may be. In a grouped view this is never the
 * first line, which always shows a heading.
 */
function lineIn(state: State, line: number): number {
  const least = isGrouped(state) ? 1 : 0;
  return Math.max(0, Math.min(Math.max(least, line), boardHeight(state) - 1));
}

/** Moves the cursor to a row and scrolls only as far as needed. */
export function moveTo(state: State, index: number): State {
  if (isLanes(state)) return moveToCard(state, index);
  const rows = boardRows(state);
  const to = clamp(index, rows.length);
  const row = rows[to];
  if (row === undefined) return withSlice(state, "board", { cursor: undefined, line: 0 });
  const line = lineIn(state, lineOf(state, to) - topLine(state));
  return withSlice(state, "board", { cursor: row.issue.uid, line });
}

export function moveBy(state: State, rows: number): State {
  const { start, end } = boundsOf(state);
  const to = Math.max(cursorIndex(state), 0) + rows;
  return moveTo(state, Math.max(start, Math.min(to, end - 1)));
}

/**
 * Applies a change and keeps the cursor on its issue. If the issue is no longer shown, the cursor moves to the next row
 * below that is still shown, else to the nearest such row above.
 */
export function keepingCursor(state: State, change: (state: State) => State): State {
  const before = boardRows(state);
  const index = cursorIndex(state);
  const { start, end } = boundsOf(state);
  const drawn = isLanes(state) ? state.board.line : lineOf(state, index) - topLine(state);
  const next = change(state);
  const around = (): readonly Row[] =>
    index === -1
      ? []
      : [
          ...before.slice(index, end),
          ...before.slice(start, index).reverse(),
          ...before.slice(end),
        ];
  const isAsked = next.board.query !== state.board.query || next.board.view !== state.board.view;
  const cursor = nearest(boardRows(next), before[index]?.issue.uid, around, isAsked);
  const line = index === -1 ? 0 : Math.max(0, drawn);
  const moved = withSlice(next, "board", { cursor, line });
  if (isLanes(moved)) return withCursorLine(moved);
  const now = lineOf(moved, cursorIndex(moved)) - topLine(moved);
  return withSlice(moved, "board", { line: lineIn(moved, now) });
}

/** Applies a page of the list. A cursor that nobody has moved yet stays on the first row. */
export function readingPage(state: State, change: (state: State) => State): State {
  // The cursor is looked up before the issues change: the memo keeps only the rows that were computed last.
  const isFresh = state.loading.stage !== "done" && cursorIndex(state) <= 0;
  const next = keepingCursor(state, change);
  return isFresh ? moveTo(next, 0) : next;
}

/**
 * Returns the uid of the row that gets the cursor. After a change of the filter or the view (`isAsked`), a row that is
 * shown only as context does not keep the cursor, because a command there would act on an issue that does not match.
 */
function nearest(
  rows: readonly Row[],
  uid: string | undefined,
  around: () => readonly Row[],
  isAsked: boolean,
): string | undefined {
  const isMatch = (row: Row | undefined): boolean => row?.context === false;
  const own = rows.findIndex(({ issue }) => issue.uid === uid);
  if (own !== -1 && isAsked && rows[own]?.context === true)
    // If all matching rows are hidden in folded parents, the cursor stays on its row.
    return (
      (rows.slice(own).find(isMatch) ?? rows.slice(0, own).findLast(isMatch))?.issue.uid ?? uid
    );
  if (own !== -1) return uid;
  const places = new Map(rows.map(({ issue }, at) => [issue.uid, at]));
  const left = around().find(({ issue }) => isMatch(rows[places.get(issue.uid) ?? -1]));
  return (left ?? rows.find(isMatch) ?? rows[0])?.issue.uid;
}

/**
 * Returns the number of matching rows (`count`) and the cursor's position among them (`at`), which is counted from 1
 * and is 0 if the cursor is on no matching row. With lanes, only the cursor's lane counts.
 */
export function placeOf(state: State): { readonly at: number; readonly count: number } {
  const { start, end } = boundsOf(state);
  const rows = boardRows(state);
  const index = cursorIndex(state);
  let at = 0;
  let count = 0;
  for (let place = start; place < end; place += 1) {
    if (rows[place]?.context === true) continue;
    count += 1;
    if (place === index) at = count;
  }
  return { at, count };
}

export function nextView(state: State): State {
  return toView(state, cycle<View>(USUAL_VIEWS, state.board.view));
}

/** Shows the list with the next grouping. After the last grouping comes the list without groups. */
export function nextGrouping(state: State): State {
  const { view } = state.board;
  const all: readonly View[] = ["flat", ...GROUPED_VIEWS];
  return toView(state, all.includes(view) ? cycle(all, view) : GROUPED_VIEWS[0]);
}

export function toView(state: State, view: View): State {
  return keepingCursor(state, (now) =>
    withSlice(now, "board", { view, places: new Map(), left: 0 }),
  );
}

export function setQuery(state: State, query: string): State {
  return keepingCursor(state, (now) => withSlice(now, "board", { query, search: undefined }));
}

export function nextStatus(state: State): State {
  const { query } = state.board;
  return setQuery(state, withStatus(query, cycle(STATUSES, parseQuery(query).status)));
}

export function nextOrder(state: State): State {
  return toOrder(state, cycle(USUAL_ORDERS, orderOf(state.board.order)));
}

export function reverseOrder(state: State): State {
  return toOrder(state, reverseSort(state.board.order));
}

export function toOrder(state: State, order: Sort): State {
  const next = withSlice(state, "board", { order, places: new Map() });
  const { start, end } = boundsOf(next);
  const rows = boardRows(next).slice(start, end);
  const first = Math.max(
    0,
    rows.findIndex(({ context }) => !context),
  );
  return moveTo(moveTo(next, start), start + first);
}

export function whyNoOrder({ board }: State): string | undefined {
  return board.search === undefined ? undefined : "what was found stands the best match first";
}
