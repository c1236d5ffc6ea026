import { boardLines, topLine } from "../../src/screen/board/board.ts";
import {
  type BoardLine,
  groupOver,
  groupsOf,
  isGrouped,
  isHeading,
  rowOnLine,
} from "../../src/screen/board/groups.ts";
import type { Target } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";

/**
 * Returns the lines of the list that fit into `height` lines. In a grouped view with room for two lines, the first line
 * is always a heading: if a row would be first, the heading of the row's group replaces this row.
 */
export function shownLines(state: State, height: number): readonly BoardLine[] {
  const top = topLine(state);
  const lines = boardLines(state).slice(top, top + height);
  const [first] = lines;
  if (height < 2 || !isGrouped(state) || first === undefined || isHeading(first)) return lines;
  const group = groupOver(groupsOf(state), top);
  return group === undefined ? lines : [group, ...lines.slice(1)];
}

/**
 * Returns what a click on the line `at` of the list means: a group or a row. Returns `undefined` below the last line.
 */
export function shownTarget(state: State, at: number, height: number): Target | undefined {
  const line = shownLines(state, height)[at];
  if (line === undefined) return undefined;
  if (isHeading(line)) return { is: "group", name: line.name };
  const number = topLine(state) + at;
  const group = isGrouped(state) ? groupOver(groupsOf(state), number) : undefined;
  return { is: "row", at: group === undefined ? number : rowOnLine(group, number) };
}
