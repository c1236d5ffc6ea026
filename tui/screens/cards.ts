import { cardsOf, gridOf } from "../../src/screen/board/lane-places.ts";
import { lanesOf } from "../../src/screen/board/lanes.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import type { Memo } from "../../src/screen/memo.ts";
import type { State } from "../../src/screen/state.ts";
import { boardLayout } from "../room.ts";
import { wrap } from "../text.ts";

const MIN_LANE = 24;
const MAX_LANE = 60;
/** A board narrower than this shows one lane at a time. */
const MANY_LANES = 80;
/** How many cells are left free before a title, for the mark of the card. */
export const INDENT = 2;

export function lanesIn(state: State): { readonly count: number; readonly width: number } {
  const { lanes } = lanesOf(state);
  const whole = boardLayout(state).list?.width ?? MIN_LANE;
  const room = whole < MANY_LANES ? 1 : Math.floor((whole + 1) / (MIN_LANE + 1));
  const count = Math.max(1, Math.min(lanes.length, room));
  const width = room === 1 ? whole : Math.min(MAX_LANE, Math.floor((whole - (count - 1)) / count));
  return { count, width };
}

/** Returns the index of the row whose card is drawn at a cell of the board. `y` counts the lines below the header. */
export function cardAt(state: State, x: number, y: number): number | undefined {
  const { first, count } = gridOf(state);
  const place = Math.floor(x / (lanesIn(state).width + 1));
  const lane = lanesOf(state).lanes[first + place];
  if (place >= count || lane === undefined) return undefined;
  return cardsOf(state, lane).findLast(({ line }) => line <= y)?.row;
}

/** How many lines a card takes, including the blank line below it. */
export function cardLines(state: State): (issue: Issue) => number {
  const { width } = lanesIn(state);
  return (issue) =>
    2 + titleLines(state.memo, issue, width).length + (issue.labels.length > 0 ? 1 : 0);
}

type Titles = WeakMap<Issue, { readonly width: number; readonly lines: readonly string[] }>;

function newTitles(): Titles {
  return new WeakMap();
}

/** Wraps a title to at most two lines. The rest stays on the second line, which is cut when it is drawn. */
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
